import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const MODULE = path.resolve('dist/lib/run-as.js');
const SECRET = 'secret-in-the-environment-0123456789';

/** What a child process of a worker can read of its parent and of the secret file. */
const CHILD = `
  const { readFileSync } = require('node:fs');
  const attempt = (file) => { try { return readFileSync(file, 'latin1').includes('${SECRET}') ? 'secret' : 'nothing'; } catch (error) { return error.code; } };
  console.log(JSON.stringify({ uid: process.getuid(), environment: attempt('/proc/' + process.ppid + '/environ'), file: attempt(process.env.SECRET_FILE) }));
`;

const WORKER = `
  const { execFileSync } = require('node:child_process');
  const { changeUser } = require(process.env.MODULE);
  changeUser(process.argv[1]);
  process.stdout.write(execFileSync(process.execPath, ['-e', process.env.CHILD], { env: { SECRET_FILE: process.env.SECRET_FILE }, cwd: '/' }));
`;

const runs = process.getuid?.() === 0 && process.platform === 'linux' && existsSync(MODULE);

(runs ? describe : describe.skip)('a worker that was started as root', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'vouch-isolation-'));
    chmodSync(folder, 0o755);
    writeFileSync(path.join(folder, 'secret'), SECRET, { mode: 0o600 });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const runWorker = (user: string): unknown =>
    JSON.parse(
      execFileSync(process.execPath, ['-e', WORKER, user], {
        env: { MODULE, CHILD, SECRET, SECRET_FILE: path.join(folder, 'secret') },
        encoding: 'utf8',
      }),
    );

  test('hides its environment and its secret files from its children once it has changed its user', () => {
    expect(runWorker('65534:65534')).toEqual({ uid: 65534, environment: 'EACCES', file: 'EACCES' });
  });

  test('would show both to children of the same user', () => {
    expect(runWorker('')).toEqual({ uid: 0, environment: 'secret', file: 'secret' });
  });
});
