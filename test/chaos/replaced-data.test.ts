import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { shareOwnStack } from '../support/shared-stack';
import type { SharedStack } from '../support/shared-stack';
import { buildEnvironment } from '../support/stack';

const root = path.resolve(__dirname, '..', '..');
let stack: SharedStack;
let folder: string;
let target: string;
let passphrase: string;

/** Runs a script of the project to its end. This process forwards connections meanwhile, so it does not block. */
async function run(script: string, args: readonly string[], env: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, [script, ...args], { cwd: root, env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, output };
}

const BACKUP = path.join('dist', 'scripts', 'backup.js');

/** A home with data that is not to be lost, and a master key. */
function createHome(masterKey: string): { home: string; file: string } {
  const home = mkdtempSync(path.join(folder, 'home-'));
  const file = path.join(home, 'data', 'mongo', 'record');
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, 'a record');
  mkdirSync(path.join(home, 'secrets'));
  writeFileSync(path.join(home, 'secrets', 'master.key'), masterKey);
  return { home, file };
}

beforeAll(async () => {
  stack = await shareOwnStack();
  folder = mkdtempSync(path.join(tmpdir(), 'vouch-replaced-'));
  target = path.join(folder, 'backups');
  passphrase = path.join(folder, 'passphrase');
  writeFileSync(passphrase, 'a passphrase of several words\n');
  const args = ['--target', target, '--key-file', passphrase];
  expect(await run(BACKUP, args, { ...process.env, ...stack.run().environment })).toMatchObject({ status: 0 });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const readMasterKey = (): string => readFileSync(stack.run().environment['MASTER_KEY_FILE'] ?? '', 'utf8');

/** Starts with an empty database and a backup, which is refused. @returns the output; the data of the home was kept */
async function replaceData(masterKey: string, env: Record<string, string>): Promise<string> {
  const { home, file } = createHome(masterKey);
  const args = ['--no-demo', '--port', '0', '--fresh', '--restore', 'latest'];
  const { status, output } = await run('scripts/start.mjs', args, buildEnvironment(home, env));
  expect({ status, isKept: existsSync(file), output }).toMatchObject({ status: 1, isKept: true });
  return output;
}

test('data is replaced by a backup only if that can be restored: target, passphrase, master key and content', async () => {
  const masterKey = readMasterKey();
  const settings = { BACKUP_TARGET: target, BACKUP_KEY_FILE: passphrase };
  expect(await replaceData(masterKey, {})).toContain('BACKUP_TARGET: is required');
  // The server of this home would be deleted together with its backups.
  expect(await replaceData(masterKey, { ...settings, BACKUP_TARGET: 's3://backups/daily' })).toContain(
    'BACKUP_S3_ENDPOINT or S3_ENDPOINT: is required for a target on S3',
  );
  const other = path.join(folder, 'other');
  writeFileSync(other, 'another passphrase than that one');
  expect(await replaceData(masterKey, { ...settings, BACKUP_KEY_FILE: other })).toContain('is not the passphrase');
  expect(await replaceData(`k1:${randomBytes(32).toString('base64')}`, settings)).toContain(
    'the configured key of this id is another one',
  );
  const [id = ''] = readdirSync(path.join(target, 'backups'));
  const file = path.join(target, 'backups', id, 'records', 'organisations.veb');
  const intact = readFileSync(file);
  const altered = Buffer.from(intact);
  altered.writeUInt8(altered.readUInt8(altered.length - 20) ^ 1, altered.length - 20);
  writeFileSync(file, altered);
  expect(await replaceData(masterKey, settings)).toContain('was altered');
  writeFileSync(file, intact);
});

test('a backup is verified where no service runs', async () => {
  const nowhere = buildEnvironment(folder, { VOUCH_RUN: path.join(folder, 'run.json') });
  const { status, output } = await run(BACKUP, ['--target', target, '--key-file', passphrase, '--verify'], nowhere);
  expect({ status, isReported: output.includes('"records"') }).toEqual({ status: 0, isReported: true });
});

test.each([
  [['--restore-only', 'keys'], '--restore-only needs --restore'],
  [['--restore', 'latest', '--fresh', '--restore-only', 'keys'], '--fresh deletes it'],
  [['--restore', 'latest', '--restore-only', 'records'], 'accepts keys, objects or both, not records'],
])('parts of a backup are restored only next to data: %j', async (args, message) => {
  const { home, file } = createHome(readMasterKey());
  const { status, output } = await run('scripts/start.mjs', args, buildEnvironment(home, {}));
  expect({ status, isKept: existsSync(file) }).toEqual({ status: 1, isKept: true });
  expect(output).toContain(message);
});
