import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { openBackupTarget } from '../../../../lib/backup/target';

const settings = {
  S3_ENDPOINT: 'http://127.0.0.1:7070',
  S3_REGION: 'us-east-1',
  S3_ACCESS_KEY: 'access',
  S3_SECRET_KEY: 'secret',
};

test.each(['s3:/backups', 's3:backups', 's3://', 'gs://backups/vouch', 'https://s3.example/backups'])(
  'a mistyped or foreign address is no folder: %s',
  (location) => {
    expect(() => openBackupTarget(location, settings)).toThrow(/^BACKUP_TARGET: accepts a folder or s3:/);
  },
);

test('a path is a folder, which may have a colon in it', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'vouch-target-'));
  try {
    const target = openBackupTarget(path.join(folder, 'daily:1'), settings);
    await target.write('a/b', Readable.from([Buffer.from('content')]));
    expect(await target.list('a/')).toEqual(['a/b']);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
