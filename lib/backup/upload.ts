import type { ObjectStore, UploadedPart } from '../object-store';

/** S3 accepts 10,000 parts, so that a file may have 625 GiB. All but the last are equal, which some stores require. */
export const PART_BYTES = 64 * 1024 * 1024;

const CONTENT_TYPE = 'application/octet-stream';

/** Divides a stream into parts of one length; the last one may be shorter, also empty. */
async function* divide(source: AsyncIterable<Buffer>, partBytes: number): AsyncGenerator<Buffer> {
  let pending: Buffer[] = [];
  let length = 0;
  for await (const chunk of source) {
    pending.push(chunk);
    length += chunk.length;
    while (length > partBytes) {
      const all = Buffer.concat(pending);
      yield all.subarray(0, partBytes);
      pending = [all.subarray(partBytes)];
      length -= partBytes;
    }
  }
  yield Buffer.concat(pending);
}

/**
 * Writes a stream of unknown length as one object, which exists only once all of it was written. If that fails, the parts
 * are removed: nothing would show them, but they would be paid for.
 * @throws the error of the source or of the store
 */
export async function uploadStream(
  uploads: Pick<ObjectStore, 'beginUpload' | 'uploadPart' | 'completeUpload' | 'abortUpload'>,
  key: string,
  source: AsyncIterable<Buffer>,
  partBytes = PART_BYTES,
): Promise<void> {
  const uploadId = await uploads.beginUpload(key, CONTENT_TYPE);
  const parts: UploadedPart[] = [];
  try {
    for await (const body of divide(source, partBytes)) {
      const number = parts.length + 1;
      parts.push({ number, etag: await uploads.uploadPart(key, uploadId, number, body) });
    }
    await uploads.completeUpload(key, uploadId, parts);
  } catch (error) {
    await uploads.abortUpload(key, uploadId).catch(() => undefined);
    throw error;
  }
}
