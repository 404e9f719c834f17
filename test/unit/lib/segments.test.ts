import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import {
  AlteredObjectError,
  isSealedObject,
  openSegments,
  sealSegment,
  streamSegments,
} from '../../../lib/crypto/segments';
import type { SegmentKey } from '../../../lib/crypto/segments';

const CHUNK = 64 * 1024;
const owner: SegmentKey = { key: randomBytes(32), name: 'org_1:org_1/exports/exp_1.csv.enc' };

/** A source that delivers the bytes in pieces of one size. */
async function* split(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size));
}

async function open(bytes: Buffer, { key = owner, size = 10_007 }: { key?: SegmentKey; size?: number } = {}) {
  const chunks: Buffer[] = [];
  for await (const chunk of openSegments(key, split(bytes, size))) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const seal = (body: Buffer, number = 1, last = true): Buffer => sealSegment(owner, body, { number, last });

test.each([0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK + 5])(
  'an object of %i bytes is read as it was written',
  async (size) => {
    const body = randomBytes(size);
    const sealed = seal(body);
    expect(isSealedObject(sealed)).toBe(true);
    expect(size > 16 && sealed.includes(body.subarray(0, 16))).toBe(false);
    for (const piece of [1_000, CHUNK, sealed.length])
      expect((await open(sealed, { size: piece })).equals(body)).toBe(true);
  },
);

test('an object that was uploaded in parts is read as one', async () => {
  const parts = [randomBytes(2 * CHUNK), randomBytes(CHUNK + 9), Buffer.alloc(0)];
  const sealed = parts.map((part, index) => seal(part, index + 1, index === parts.length - 1));
  expect((await open(Buffer.concat(sealed))).equals(Buffer.concat(parts))).toBe(true);
});

test.each(['before a byte was read', 'in the middle'])(
  'a reader that leaves %s closes the connection to the object store',
  async (when) => {
    const source = new PassThrough();
    source.write(seal(randomBytes(2 * CHUNK)).subarray(0, CHUNK + 200));
    const opened = streamSegments(owner, source);
    if (when === 'in the middle') {
      await once(opened, 'readable');
      opened.read();
    }
    opened.destroy();
    await once(opened, 'close');
    expect(source.destroyed).toBe(true);
  },
);

test('a stream has the bytes that were written, and fails where they were altered', async () => {
  const body = randomBytes(3 * CHUNK + 5);
  const readAll = async (bytes: Buffer): Promise<Buffer> => {
    const chunks: Buffer[] = [];
    for await (const chunk of streamSegments(owner, Readable.from(split(bytes, 10_007)))) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks);
  };
  expect((await readAll(seal(body))).equals(body)).toBe(true);
  expect(await readAll(seal(Buffer.alloc(0)))).toHaveLength(0);
  await expect(readAll(seal(body).subarray(0, 2 * CHUNK))).rejects.toThrow(AlteredObjectError);
});

test('a part sealed again is the same, so that a repeated attempt may overwrite a recorded part', () => {
  const body = randomBytes(CHUNK + 1);
  expect(seal(body, 2, false).equals(seal(body, 2, false))).toBe(true);
});

test('other content, or the same elsewhere, has nothing in common, so that no nonce is reused under a key', () => {
  const body = Buffer.alloc(CHUNK);
  const changed = Buffer.concat([body.subarray(1), Buffer.from([1])]);
  const sealed = [
    seal(body),
    seal(changed),
    seal(body, 2),
    seal(body, 1, false),
    sealSegment({ ...owner, name: 'other' }, body, { number: 1, last: true }),
    sealSegment({ ...owner, key: randomBytes(32) }, body, { number: 1, last: true }),
  ];
  expect(new Set(sealed.map((bytes) => bytes.subarray(-CHUNK, -CHUNK + 64).toString('hex'))).size).toBe(sealed.length);
});

describe('an object is not opened', () => {
  const body = randomBytes(2 * CHUNK + 100);
  const expectRefused = (bytes: Buffer, key?: SegmentKey) =>
    expect(open(bytes, key === undefined ? {} : { key })).rejects.toBeInstanceOf(AlteredObjectError);

  test('with one changed byte, wherever it is', async () => {
    const sealed = seal(body);
    for (const at of [0, 4, 5, 9, 14, 20, 46, 47, CHUNK, 2 * CHUNK + 60, sealed.length - 1]) {
      const altered = Buffer.from(sealed);
      altered.writeUInt8(altered.readUInt8(at) ^ 1, at);
      await expectRefused(altered);
    }
  });

  test('if it was cut off, also between two chunks or two parts, or lengthened', async () => {
    const sealed = seal(body);
    for (const length of [0, 10, 47, 47 + CHUNK + 16, sealed.length - 1])
      await expectRefused(sealed.subarray(0, length));
    await expectRefused(Buffer.concat([sealed, Buffer.from('x')]));
    await expectRefused(seal(body, 1, false));
  });

  test('with its parts in another order, one left out, or one of another object', async () => {
    const [one, two, three] = [seal(body, 1, false), seal(body, 2, false), seal(body, 3, true)];
    await expectRefused(Buffer.concat([two, one, three]));
    await expectRefused(Buffer.concat([one, three]));
    const foreign = sealSegment({ ...owner, name: 'org_1:other' }, body, { number: 2, last: false });
    await expectRefused(Buffer.concat([one, foreign, three]));
  });

  test('under another name, with the key of another organisation, or without encryption', async () => {
    await expectRefused(seal(body), { ...owner, name: 'org_2:org_1/exports/exp_1.csv.enc' });
    await expectRefused(seal(body), { ...owner, key: randomBytes(32) });
    await expectRefused(Buffer.from('%PDF-1.7 as it is'));
  });
});

test('a reader that stops early closes the source', async () => {
  let closed = false;
  const sealed = seal(randomBytes(4 * CHUNK));
  const source = (async function* () {
    try {
      yield* split(sealed, 1_000);
    } finally {
      closed = true;
    }
  })();
  for await (const chunk of openSegments(owner, source)) {
    expect(chunk).toHaveLength(CHUNK);
    break;
  }
  expect(closed).toBe(true);
});
