import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { evaluate } from '../../support/evaluate';

const root = path.resolve(__dirname, '..', '..', '..');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'vouch-node-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** An executable with the name of Node, in a folder of its own. */
function writeNode(name: string, script: string): string {
  const file = path.join(folder, name, 'node');
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return file;
}

/** Finds the Node of a command that Node 20 starts. */
async function findNode(env: Record<string, string>, fetchMissing: boolean) {
  const script = `
    import { createProgress } from './scripts/progress.mjs';
    import { findNode } from './scripts/node-version.mjs';
    const lines = [];
    const progress = createProgress((line) => lines.push(line));
    const env = ${JSON.stringify({ VOUCH_TOOLS_DIR: path.join(folder, 'cache'), ...env })};
    const found = await findNode({ progress, fetchMissing: ${fetchMissing}, env, version: '20.20.2' }).catch((error) => error.message);
    console.log(JSON.stringify({ found, lines }));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    cwd: root,
    env: { ...process.env, ...env, PATH: process.env['PATH'] },
  });
  return z.object({ found: z.string(), lines: z.array(z.string()) }).parse(JSON.parse(stdout));
}

/** Finds the Node of a command with a registry that answers requests so; `respond` gets the address of the registry. */
async function findNodeWithRegistry(respond: (address: string) => RequestListener, env: Record<string, string> = {}) {
  const registry = createServer();
  registry.listen(0, '127.0.0.1');
  await once(registry, 'listening');
  const address = `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`;
  registry.on('request', respond(address));
  try {
    const npm = { npm_config_registry: address, npm_config_cache: path.join(folder, 'npm') };
    return await findNode({ PATH: '', ...npm, ...env }, true);
  } finally {
    registry.closeAllConnections();
    registry.close();
  }
}

test('Node 20 is run with a notice that its support has ended; 22 and 24 without one; older is refused', () => {
  const result = evaluate(
    `import { checkNodeVersion, describeEndedNode } from './scripts/node-version.mjs';
     const check = (version) => { try { checkNodeVersion(version); return 'accepted'; } catch (error) { return error.message; } };`,
    `[describeEndedNode('20.20.2'), describeEndedNode('22.23.3'), describeEndedNode('24.21.0'), check('20.20.2'), check('18.20.0')]`,
  );
  expect(result).toEqual([
    'Node 20 has had no security fixes since April 2026; install Node 24.',
    null,
    null,
    'accepted',
    expect.stringContaining('Node 20.19.0 or newer is needed'),
  ]);
});

test('a command that Node 20 starts runs on a newer one of PATH, else on the installed one if nothing may be fetched', async () => {
  const newer = writeNode('newer', 'echo v24.0.0');
  const older = writeNode('older', 'echo v20.19.0');
  await expect(findNode({ PATH: path.dirname(newer) }, false)).resolves.toEqual({ found: newer, lines: [] });
  await expect(findNode({ PATH: path.dirname(older) }, false)).resolves.toEqual({ found: process.execPath, lines: [] });
});

test('VOUCH_NODE_PATH decides, also for a Node without security fixes; one that is no executable is refused', async () => {
  const older = writeNode('older', 'echo v20.19.0');
  await expect(findNode({ VOUCH_NODE_PATH: older, PATH: '' }, true)).resolves.toEqual({ found: older, lines: [] });
  const missing = path.join(folder, 'missing');
  const { found } = await findNode({ VOUCH_NODE_PATH: missing, PATH: '' }, true);
  expect(found).toContain(`${missing} is not an executable file`);
});

test('a Node whose checksum is not the pinned one is not run: the command runs on the installed one, and says why', async () => {
  const source = readFileSync(path.join(root, 'scripts', 'toolchain', 'node.mjs'), 'utf8');
  const version = /VERSION = '([\d.]+)'/.exec(source)?.[1] ?? '';
  const requested: string[] = [];
  const { found, lines } = await findNodeWithRegistry((address) => ({ url = '' }, response) => {
    requested.push(url);
    if (url.endsWith('.tgz')) return void response.end('bytes of someone else');
    const name = url.slice(1);
    const versions = { [version]: { name, version, dist: { tarball: `${address}${name}.tgz` } } };
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify({ name, 'dist-tags': { latest: version }, versions }));
  });
  expect(found).toBe(process.execPath);
  expect(lines.join('\n')).toMatch(/FAIL {2}Node [^]*is pinned; it was not installed/);
  expect(requested.some((url) => url.endsWith('.tgz'))).toBe(true);
});

test('a registry that does not answer is asked once: the command runs on the installed Node', async () => {
  let requests = 0;
  const limit = { npm_config_fetch_timeout: '200' };
  const { found, lines } = await findNodeWithRegistry(() => () => void (requests += 1), limit);
  expect(found).toBe(process.execPath);
  expect(lines.join('\n')).toContain('FAIL  Node ');
  expect(requests).toBe(1);
});

describe('a command on another Node', () => {
  let commands: string;
  beforeEach(() => {
    commands = path.join(folder, 'scripts');
    for (const copied of ['scripts', path.join('lib', 'secret-names.json')])
      cpSync(path.join(root, copied), path.join(folder, copied), { recursive: true });
  });

  /** Starts a command of this content with a Node that notes that it was used. */
  function start(content: string) {
    writeFileSync(path.join(commands, 'command.mjs'), content);
    const node = writeNode('chosen', `echo chosen\nexec "${process.execPath}" "$@"`);
    const child = spawn(process.execPath, [path.join(commands, 'run.mjs'), 'command', 'one', '--two'], {
      env: { ...process.env, VOUCH_NODE_PATH: node },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child.stdout.setEncoding('utf8');
    return { child, node };
  }

  test('has its arguments and its exit code, and finds that Node on PATH', async () => {
    const { child, node } = start(
      'console.log(JSON.stringify([process.argv.slice(2), process.env.PATH])); process.exitCode = 3;',
    );
    let output = '';
    child.stdout.on('data', (text: string) => (output += text));
    await expect(once(child, 'close')).resolves.toEqual([3, null]);
    const [used, printed = ''] = output.trim().split('\n');
    expect(used).toBe('chosen');
    expect(JSON.parse(printed)).toEqual([
      ['one', '--two'],
      expect.stringContaining(`${path.dirname(node)}${path.delimiter}`),
    ]);
  });

  test('gets the signals that end it, and may clean up first', async () => {
    const { child } = start(
      `process.on('SIGTERM', () => { console.log('cleaned up'); process.exit(0); });
       setInterval(() => undefined, 60_000);
       console.log('running');`,
    );
    let output = '';
    child.stdout.on('data', (text: string) => {
      output += text;
      if (text.includes('running')) child.kill('SIGTERM');
    });
    await expect(once(child, 'close')).resolves.toEqual([0, null]);
    expect(output).toBe('chosen\nrunning\ncleaned up\n');
  });

  test('that a signal ends, ends by that signal', async () => {
    const { child } = start(`process.kill(process.pid, 'SIGTERM'); setInterval(() => undefined, 60_000);`);
    await expect(once(child, 'exit')).resolves.toEqual([null, 'SIGTERM']);
  });
});
