import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { z } from 'zod';

const root = path.resolve(__dirname, '..', '..', '..');

/** Calls a function of a script in a child process, because the scripts are ES modules. */
function call(file: string, name: string, ...args: string[]): string[] {
  const script = `import { ${name} } from './${file}'; console.log(JSON.stringify(${name}(${args.join(', ')})));`;
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: root, encoding: 'utf8' });
  return z.array(z.string()).parse(JSON.parse(output));
}

const advisory = { id: 'GHSA-2222-3333-4444', package: 'library', severity: 'high', title: 'Reads too far' };
const exception = {
  id: advisory.id,
  package: 'library',
  reason: 'The function that reads too far is not called here.',
  expires: '2026-12-01',
};
const compare = (advisories: object[], exceptions: object[]): string[] =>
  call('scripts/checks/audit.mjs', 'compareAdvisories', JSON.stringify(advisories), JSON.stringify(exceptions));
const checkExceptions = (change: object): string[] =>
  call(
    'scripts/checks/audit.mjs',
    'checkExceptions',
    JSON.stringify([{ ...exception, ...change }]),
    `new Date('2026-11-01')`,
  );

test('a known vulnerability fails unless it is in the reviewed list, and an unused exception fails', () => {
  expect(compare([advisory], [])).toEqual(['library: Reads too far (high, GHSA-2222-3333-4444)']);
  expect(compare([advisory], [exception])).toEqual([]);
  expect(compare([], [exception])).toEqual([expect.stringContaining('no locked package has this advisory; remove it')]);
  expect(compare([{ ...advisory, package: 'other' }], [exception])).toHaveLength(2);
});

test('an exception needs the id of an advisory, a reason and a date within 180 days that has not passed', () => {
  expect(checkExceptions({})).toEqual([]);
  expect(checkExceptions({ id: '1234' })).toEqual([expect.stringContaining('must be that of an advisory')]);
  expect(checkExceptions({ reason: 'no' })).toEqual([expect.stringContaining('says no reason')]);
  expect(checkExceptions({ expires: 'soon' })).toEqual([expect.stringContaining('must be a date')]);
  expect(checkExceptions({ expires: '2026-10-31' })).toEqual([expect.stringContaining('expired on 2026-10-31')]);
  expect(checkExceptions({ expires: '2027-11-01' })).toEqual([expect.stringContaining('later than in 180 days')]);
});

test('the advisories of an audit report are listed once each, with the package that has them', () => {
  const via = [
    { url: 'https://github.com/advisories/GHSA-2222-3333-4444', name: 'library', severity: 'high', title: 'T' },
  ];
  const report = { vulnerabilities: { library: { via }, parent: { via: ['library'] }, other: { via } } };
  const script = `import { listAdvisories } from './scripts/checks/audit.mjs'; console.log(JSON.stringify(listAdvisories(${JSON.stringify(report)})));`;
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: root, encoding: 'utf8' });
  expect(JSON.parse(output)).toEqual([{ id: 'GHSA-2222-3333-4444', package: 'library', severity: 'high', title: 'T' }]);
});
