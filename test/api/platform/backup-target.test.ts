import { randomUUID } from 'node:crypto';
import { openBackupTarget } from '../../../lib/backup/target';
import { createS3Client } from '../../../lib/object-store';
import { closeTestPlatform, getTestPlatform } from '../../support/tenant';

afterAll(closeTestPlatform);

/** A target in a folder of its own, and what S3 keeps of unfinished uploads there. */
async function openTarget() {
  const { config } = await getTestPlatform();
  const folder = `backup-${randomUUID()}`;
  const client = createS3Client(config);
  return {
    target: openBackupTarget(`s3://${config.S3_BUCKET}/${folder}`, () => config),
    listUnfinished: async (): Promise<unknown[]> => {
      const found: unknown[] = [];
      for await (const upload of client.listIncompleteUploads(config.S3_BUCKET, folder, true)) found.push(upload);
      return found;
    },
  };
}

async function* produce(chunks: number, failure?: Error): AsyncGenerator<Buffer> {
  for (let index = 0; index < chunks; index += 1) yield await Promise.resolve(Buffer.alloc(1024 * 1024, index));
  if (failure !== undefined) throw failure;
}

test('a backup on S3 that fails half-way is reported with its cause, and leaves nothing behind', async () => {
  const { target, listUnfinished } = await openTarget();
  const writing = target.write('backups/1/objects.veb', produce(70, new Error('the object store does not respond')));
  await expect(writing).rejects.toThrow('the object store does not respond');
  expect([await target.list(''), await listUnfinished()]).toEqual([[], []]);
});

test('a file of several parts on S3 is read as it was written', async () => {
  const { target } = await openTarget();
  await target.write('backups/1/objects.veb', produce(70));
  let bytes = 0;
  for await (const chunk of target.read('backups/1/objects.veb')) bytes += chunk.length;
  expect([await target.list(''), bytes]).toEqual([['backups/1/objects.veb'], 70 * 1024 * 1024]);
  await target.remove('backups/1/objects.veb');
});

test('a folder on S3 is listed by its name and removed with all of its files, and no other is', async () => {
  const { target } = await openTarget();
  for (const name of ['backups/1/records/a.veb', 'backups/1/objects.veb', 'backups/10/a.veb', 'keys.veb'])
    await target.write(name, produce(1));
  expect(await target.listFolders('backups/')).toEqual(['1', '10']);
  await target.removeFolder('backups/1/');
  expect(await target.list('')).toEqual(['backups/10/a.veb', 'keys.veb']);
});
