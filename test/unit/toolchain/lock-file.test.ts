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

const integrity = `sha512-${'A'.repeat(86)}==`;
const checkLock = (packages: Record<string, object>, allowScripts: Record<string, boolean> = {}): string[] =>
  call('scripts/build/lockfile.mjs', 'checkLock', JSON.stringify({ packages }), JSON.stringify(allowScripts));

test('a lock file in which every entry has a checksum and every install script is refused passes', () => {
  expect(checkLock({ '': {}, 'node_modules/one': { integrity, hasInstallScript: true } }, { one: false })).toEqual([]);
});

test('an entry without a SHA-512 checksum, from another source, or linked is named', () => {
  const problems = checkLock({
    'node_modules/bare': {},
    'node_modules/old': { integrity: 'sha1-abc' },
    'node_modules/git': { integrity, resolved: 'git+ssh://host/repository' },
    'node_modules/link': { integrity, link: true },
  });
  expect(problems).toEqual([
    'node_modules/bare has no SHA-512 checksum (integrity)',
    'node_modules/old has no SHA-512 checksum (integrity)',
    'node_modules/git is not from the registry, but from git+ssh://host/repository',
    'node_modules/link is a link',
  ]);
});

test('a missing package of another platform is named with what to do', () => {
  const [problem = ''] = checkLock({
    'node_modules/native': { integrity, optionalDependencies: { 'native-mac': '1.0.0' } },
  });
  expect(problem).toContain('native-mac@1.0.0, which native needs on another platform, is missing');
});

test('an install script without a review, an allowed one and a superfluous entry are named', () => {
  const locked = { 'node_modules/a/node_modules/@x/b': { integrity, hasInstallScript: true } };
  expect(checkLock(locked)).toEqual([expect.stringContaining('@x/b has an install script: read it')]);
  expect(checkLock(locked, { '@x/b': true })).toEqual([expect.stringContaining('nothing runs install scripts here')]);
  expect(checkLock(locked, { '@x/b': false, gone: false })).toEqual([
    'allowScripts lists gone, which has no install script',
  ]);
});
