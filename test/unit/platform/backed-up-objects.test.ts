import { Readable } from 'node:stream';
import { decodeDocument } from '../../../lib/backup/documents';
import { backUpObjects } from '../../../services/platform/backup/objects';

const KEYS = ['a-large', 'b', 'c'];

/**
 * A store that closes connections on which nothing is read, while a large object is read.
 * @param opens what opening a key again answers, by the number of the attempt
 */
function createStore(opens: (key: string, attempt: number) => Readable | null) {
  const attempts = new Map<string, number>();
  const silent: Readable[] = [];
  return {
    attempts,
    objects: {
      async *list(): AsyncGenerator<{ key: string; lastModified: Date }> {
        for (const key of KEYS) yield await Promise.resolve({ key, lastModified: new Date(0) });
      },
      stream: (key: string): Promise<Readable | null> => {
        const attempt = (attempts.get(key) ?? 0) + 1;
        attempts.set(key, attempt);
        const body = key === 'a-large' ? Readable.from(readSlowly(silent)) : opens(key, attempt);
        if (key !== 'a-large' && attempt === 1 && body !== null) silent.push(body);
        return Promise.resolve(body);
      },
    },
  };
}

async function* readSlowly(silent: readonly Readable[]): AsyncGenerator<Buffer> {
  yield await Promise.resolve(Buffer.from('large'));
  for (const body of silent) body.destroy(new Error('No byte was transferred for 300000 ms.'));
}

const open = (key: string): Readable => Readable.from([Buffer.from(`content of ${key}`)]);

/** Keeps the frames that are written. */
function createVault() {
  const frames: unknown[] = [];
  return {
    frames,
    async write(_name: string, source: AsyncIterable<Buffer>) {
      for await (const raw of source) frames.push(decodeDocument(raw));
      return { bytes: 0, sha256: '' };
    },
  };
}

test('objects whose connections were closed while a large one was copied are opened again', async () => {
  const { objects, attempts } = createStore(open);
  const vault = createVault();
  expect(await backUpObjects({ objects }, vault, 'backup-1')).toMatchObject({ count: 3 });
  expect(vault.frames).toMatchObject([
    { key: 'a-large', last: true, data: Buffer.from('large') },
    { key: 'b', last: true, data: Buffer.from('content of b') },
    { key: 'c', last: true, data: Buffer.from('content of c') },
  ]);
  expect(Object.fromEntries(attempts)).toEqual({ 'a-large': 1, b: 2, c: 2 });
});

test('an object that was removed meanwhile is left out', async () => {
  const { objects } = createStore((key, attempt) => (key === 'b' && attempt === 2 ? null : open(key)));
  const vault = createVault();
  expect(await backUpObjects({ objects }, vault, 'backup-1')).toMatchObject({ count: 2 });
  expect(vault.frames).toMatchObject([{ key: 'a-large' }, { key: 'c' }]);
});

test('an object that cannot be read twice fails the backup', async () => {
  const fail = (): never => {
    throw new Error('the object store does not respond');
  };
  const { objects } = createStore((key, attempt) =>
    key === 'c' && attempt === 2
      ? Readable.from(
          (function* () {
            yield fail();
          })(),
        )
      : open(key),
  );
  await expect(backUpObjects({ objects }, createVault(), 'backup-1')).rejects.toThrow('does not respond');
});
