import { PART_BYTES, uploadStream } from '../../../../lib/backup/upload';

/** Keeps the parts of the uploads that were completed. */
function createUploads() {
  const parts: Buffer[] = [];
  const ended: string[] = [];
  return {
    parts,
    ended,
    uploads: {
      beginUpload: () => Promise.resolve('upload-1'),
      uploadPart: (_key: string, _id: string, number: number, body: Buffer) => {
        parts.push(Buffer.from(body));
        return Promise.resolve(`etag-${number}`);
      },
      completeUpload: (_key: string, _id: string, completed: readonly { number: number; etag: string }[]) => {
        ended.push(completed.map(({ number, etag }) => `${number} ${etag}`).join());
        return Promise.resolve();
      },
      abortUpload: (key: string, id: string) => {
        ended.push(`aborted ${key} ${id}`);
        return Promise.resolve();
      },
    },
  };
}

async function* produce(chunks: readonly string[], failure?: Error): AsyncGenerator<Buffer> {
  for (const chunk of chunks) yield await Promise.resolve(Buffer.from(chunk));
  if (failure !== undefined) throw failure;
}

describe('a stream of unknown length', () => {
  test.each([
    [
      ['abcde', 'f', 'ghijklmno'],
      ['abcd', 'efgh', 'ijkl', 'mno'],
    ],
    [
      ['abcd', 'efgh'],
      ['abcd', 'efgh'],
    ],
    [['ab'], ['ab']],
    [[], ['']],
  ])('is uploaded in parts of one length: %j', async (chunks, expected) => {
    const { uploads, parts, ended } = createUploads();
    await uploadStream(uploads, 'backups/1/a.veb', produce(chunks), 4);
    expect(parts.map(String)).toEqual(expected);
    expect(ended).toEqual([expected.map((_, index) => `${index + 1} etag-${index + 1}`).join()]);
  });

  test('may have more than half a terabyte in the 10,000 parts that S3 accepts', () => {
    expect(10_000 * PART_BYTES).toBeGreaterThan(600e9);
  });

  test('leaves no parts if its source fails', async () => {
    const { uploads, ended } = createUploads();
    const source = produce(['abcde', 'f'], new Error('the source failed'));
    await expect(uploadStream(uploads, 'backups/1/a.veb', source, 4)).rejects.toThrow('the source failed');
    expect(ended).toEqual(['aborted backups/1/a.veb upload-1']);
  });
});
