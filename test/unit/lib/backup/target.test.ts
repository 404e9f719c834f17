import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { openBackupTarget } from '../../../../lib/backup/target';
import { readNoSettings } from '../../../support/no-settings';

test.each(['s3:/backups', 's3:backups', 's3://', 'gs://backups/vouch', 'https://s3.example/backups'])(
  'a mistyped or foreign address is no folder: %s',
  (location) => {
    expect(() => openBackupTarget(location, readNoSettings)).toThrow(/^BACKUP_TARGET: accepts a folder or s3:/);
  },
);

test('a path is a folder, which may have a colon in it', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'vouch-target-'));
  try {
    const target = openBackupTarget(path.join(folder, 'daily:1'), readNoSettings);
    await target.write('a/b', Readable.from([Buffer.from('content')]));
    expect(await target.list('a/')).toEqual(['a/b']);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('a file that cannot be written leaves no draft', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'vouch-target-'));
  try {
    const target = openBackupTarget(folder, readNoSettings);
    const fail = async function* (): AsyncGenerator<Buffer> {
      yield await Promise.resolve(Buffer.from('content'));
      throw new Error('no space left');
    };
    await expect(target.write('a/b', fail())).rejects.toThrow('no space left');
    expect(await readdir(path.join(folder, 'a'))).toEqual([]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
