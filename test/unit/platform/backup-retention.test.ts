import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openBackupTarget } from '../../../lib/backup/target';
import { openVault } from '../../../lib/backup/vault';
import type { BackupVault } from '../../../lib/backup/vault';
import { removeIfFailed, removeOutdated } from '../../../services/platform/backup/retention';
import { readNoSettings } from '../../support/no-settings';

let folder: string;
let vault: BackupVault;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vouch-retention-'));
  vault = await openVault(openBackupTarget(folder, readNoSettings), 'a passphrase of a test', true);
});
afterEach(() => rm(folder, { recursive: true }));

async function* produce(): AsyncGenerator<Buffer> {
  yield await Promise.resolve(Buffer.from('content'));
}

/** Writes the files of a backup; without a manifest it looks as one that was interrupted. */
async function write(id: string, ...names: string[]): Promise<void> {
  for (const name of names) await vault.write(`backups/${id}/${name}`, produce());
}

const listRemaining = async (): Promise<string[]> => (await readdir(path.join(folder, 'backups'))).sort();

const NOW = new Date('2026-11-22T03:15:00.000Z');
const [OLDEST, OLDER, LATEST] = ['2026-11-01T03-15-00-000Z', '2026-11-20T03-15-00-000Z', '2026-11-21T03-15-00-000Z'];
const INTERRUPTED = '2026-11-19T03-15-00-000Z';
const ONLY_DRAFT = '2026-11-18T03-15-00-000Z';
const RUNNING = '2026-11-21T23-00-00-000Z';

test('older backups are removed, and interrupted ones that began more than two days ago, with their drafts', async () => {
  for (const id of [OLDEST, OLDER, LATEST]) await write(id, 'records/organisations.veb', 'manifest.veb');
  await write(INTERRUPTED, 'records/organisations.veb');
  await writeFile(path.join(folder, 'backups', INTERRUPTED, 'objects.veb.partial'), 'half');
  await write(ONLY_DRAFT, 'objects.veb');
  const draft = path.join(folder, 'backups', ONLY_DRAFT, 'objects.veb');
  await rm(draft);
  await writeFile(`${draft}.partial`, 'half');
  await write(RUNNING, 'records/organisations.veb');
  await write('by-hand', 'notes');
  expect(await removeOutdated(vault, 2, NOW)).toEqual({
    removed: [OLDEST],
    removedInterrupted: [ONLY_DRAFT, INTERRUPTED],
  });
  // Another process may be writing the one without a manifest that began recently.
  expect(await listRemaining()).toEqual([OLDER, LATEST, RUNNING, 'by-hand']);
});

test('a backup that fails leaves nothing behind, and its error is that of the failure', async () => {
  const work = async (): Promise<never> => {
    await write(LATEST, 'records/organisations.veb');
    throw new Error('no space left');
  };
  await expect(removeIfFailed(vault, LATEST, work)).rejects.toThrow('no space left');
  expect(await listRemaining()).toEqual([]);
});

test('a backup that cannot be removed after it failed reports the first error', async () => {
  jest.spyOn(vault, 'remove').mockRejectedValue(new Error('the target is away'));
  const work = (): Promise<never> => Promise.reject(new Error('no space left'));
  await expect(removeIfFailed(vault, LATEST, work)).rejects.toThrow('no space left');
});
