import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { buildChildEnvironment } from '../../../lib/child-environment';
import { SECRET_SETTINGS } from '../../../lib/secret-settings';
import { readStack } from '../../support/stack';

/** Prints what /proc shows of the environments of processes, as a decoder that was taken over could. */
const READ_ENVIRONMENTS = `
  const { readFileSync } = require('node:fs');
  const read = (pid) => { try { return readFileSync('/proc/' + pid + '/environ', 'latin1'); } catch { return ''; } };
  console.log(JSON.stringify(process.argv.slice(1).map(read)));
`;

/** Ids of processes and of all that they started. */
function listDescendants(roots: readonly number[]): number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
        return { pid: Number(pid), parent: Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) };
      } catch {
        return { pid: 0, parent: 0 };
      }
    });
  const found = new Set(roots);
  for (let before = 0; before < found.size;) {
    before = found.size;
    for (const { pid, parent } of parents) if (found.has(parent)) found.add(pid);
  }
  return [...found];
}

const linux = process.platform === 'linux' ? test : test.skip;

linux('a child of the same user finds no secret in the environment of any process of the service', () => {
  const { environment, pids } = readStack();
  const secrets = SECRET_SETTINGS.flatMap((name) => {
    const file = environment[`${name}_FILE`];
    return file === undefined || name === 'S3_ACCESS_KEY' ? [] : [readFileSync(file, 'utf8').trim()];
  });
  expect(secrets.length).toBeGreaterThanOrEqual(3);
  const service = Object.entries(pids).flatMap(([role, pid]) =>
    /^(api|worker)/.test(role) && pid !== null ? [pid] : [],
  );
  const processes = listDescendants(service);
  expect(processes.length).toBeGreaterThan(service.length);
  const printed = execFileSync(process.execPath, ['-e', READ_ENVIRONMENTS, ...processes.map(String)], {
    env: buildChildEnvironment(),
    encoding: 'utf8',
  });
  const environments = JSON.parse(printed) as string[];
  expect(environments.filter((text) => text !== '').length).toBeGreaterThanOrEqual(service.length);
  // Names only: a failure must not print a secret.
  const shown = environments.filter((text) => secrets.some((secret) => text.includes(secret))).length;
  expect({ processesThatShowASecret: shown }).toEqual({ processesThatShowASecret: 0 });
});
