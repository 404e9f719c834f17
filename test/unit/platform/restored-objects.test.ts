import { encodeDocument } from '../../../lib/backup/documents';
import { restoreObjects } from '../../../services/platform/backup/objects';

/** A store without objects that keeps how its uploads ended. */
function createStore() {
  const ended: string[] = [];
  return {
    ended,
    objects: {
      ensureBucket: () => Promise.resolve(),
      async *list(): AsyncGenerator<{ key: string; lastModified: Date }> {},
      put: () => Promise.resolve(),
      beginUpload: (key: string) => Promise.resolve(`upload of ${key}`),
      uploadPart: (_key: string, _id: string, number: number) => Promise.resolve(`etag-${number}`),
      completeUpload: (_key: string, id: string) => Promise.resolve(void ended.push(`completed ${id}`)),
      abortUpload: (_key: string, id: string) => Promise.resolve(void ended.push(`aborted ${id}`)),
    },
  };
}

async function* readFrames(failure?: Error): AsyncGenerator<Buffer> {
  yield await Promise.resolve(encodeDocument({ key: 'a', last: true, data: Buffer.from('whole') }));
  yield encodeDocument({ key: 'b', last: false, data: Buffer.from('first') });
  if (failure !== undefined) throw failure;
  yield encodeDocument({ key: 'b', last: true, data: Buffer.from('last') });
}

const createVault = (failure?: Error) => ({ read: () => readFrames(failure) });

test('an object of several frames is restored as one', async () => {
  const { objects, ended } = createStore();
  expect(await restoreObjects({ objects }, createVault(), 'backup-1')).toBe(2);
  expect(ended).toEqual(['completed upload of b']);
});

test('a restoration that fails in the middle of an object leaves no parts of it', async () => {
  const { objects, ended } = createStore();
  const restoring = restoreObjects({ objects }, createVault(new Error('the file was altered')), 'backup-1');
  await expect(restoring).rejects.toThrow('the file was altered');
  expect(ended).toEqual(['aborted upload of b']);
});
