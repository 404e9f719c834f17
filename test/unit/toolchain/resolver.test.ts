import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';

const root = path.resolve(__dirname, '..', '..', '..');
const resolutionSchema = z.object({
  source: z.string().optional(),
  executable: z.string().optional(),
  url: z.string().optional(),
  error: z.string().optional(),
});

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'vouch-resolver-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A program that prints its version. */
function writeProgram(name: string, version = '2.0'): string {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\necho "tool version ${version}"\n`, { mode: 0o755 });
  return file;
}

/** Resolves a fictional tool in a child process, because the toolchain consists of ES modules. */
function resolve(env: Record<string, string>, registry = 'null', before = ''): z.infer<typeof resolutionSchema> {
  const script = `
    import { copyFile, writeFile } from 'node:fs/promises';
    import { resolveTool } from './scripts/toolchain/resolver.mjs';
    const tool = {
      name: 'tool', version: '2.0', environment: { url: 'TOOL_URL', path: 'TOOL_PATH' }, commands: ['tool'],
      probe: ['--version'], atLeast: /version 2/, official: async () => null, registry: ${registry}, advice: 'install tool.',
    };
    const dir = ${JSON.stringify(path.join(folder, 'cache'))};
    const resolve = () => resolveTool(tool, { dir, env: ${JSON.stringify(env)} });
    ${before}
    console.log(JSON.stringify(await resolve().catch((error) => ({ error: error.message }))));
  `;
  return resolutionSchema.parse(
    JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: root, encoding: 'utf8' })),
  );
}

const buildPackage = (file: string): string =>
  `{ title: 'a package', fetch: async (into) => { await copyFile(${JSON.stringify(file)}, into + '/tool'); return into + '/tool'; } }`;

test('a server named in the environment has the highest precedence', () => {
  expect(resolve({ TOOL_URL: 'tcp://there', TOOL_PATH: writeProgram('own'), PATH: folder })).toEqual({
    source: 'server',
    url: 'tcp://there',
  });
});

test('an executable named in the environment has precedence over PATH', () => {
  const own = writeProgram('own');
  writeProgram('tool');
  expect(resolve({ TOOL_PATH: own, PATH: folder })).toEqual({ source: 'environment', executable: own });
});

test('a wrong path in the environment is an error; no other program is used instead', () => {
  writeProgram('tool');
  expect(resolve({ TOOL_PATH: '/nowhere/tool', PATH: folder }).error).toContain('correct or unset TOOL_PATH');
});

test('a program on PATH that is too old is not used', () => {
  writeProgram('tool', '1.0');
  const found = resolve({ PATH: `${folder}:/usr/bin:/bin` }, buildPackage(writeProgram('packaged/tool')));
  expect(found.source).toBe('package');
});

test('a program from a package is taken from the cache afterwards', () => {
  const registry = buildPackage(writeProgram('packaged/tool'));
  expect(resolve({ PATH: '/usr/bin:/bin' }, registry).source).toBe('package');
  expect(resolve({ PATH: '/usr/bin:/bin' }, 'null').source).toBe('cache');
});

test('an altered program in the cache is removed and downloaded again', () => {
  const registry = buildPackage(writeProgram('packaged/tool'));
  const alter = `const first = await resolve(); await writeFile(first.executable, '#!/bin/sh\\necho version 2 of someone else\\n');`;
  expect(resolve({ PATH: '/usr/bin:/bin' }, registry, alter).source).toBe('package');
});

test('the error for a tool that is not available names every source that was tried and what to do', () => {
  const { error = '' } = resolve({ PATH: '/nowhere' });
  for (const text of ['environment', 'PATH', 'cache', 'official download', 'package', 'install tool.'])
    expect(error).toContain(text);
});
