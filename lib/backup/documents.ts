import mongoose from 'mongoose';
import type { mongo } from 'mongoose';

const { BSON } = mongoose.mongo;

/** The shortest BSON document: its length and a final zero. */
const MIN_DOCUMENT_BYTES = 5;

export type RawDocument = mongo.Document;

/** A document as BSON. */
export const encodeDocument = (document: RawDocument): Buffer => Buffer.from(BSON.serialize(document));

/** Decodes a document with the exact types of its values, so that it is encoded to the same bytes again. */
export const decodeExactly = (bytes: Buffer): RawDocument =>
  BSON.deserialize(bytes, { promoteValues: false, promoteLongs: false, promoteBuffers: false, bsonRegExp: true });

/** Decodes a document to JavaScript values. */
export const decodeDocument = (bytes: Buffer): RawDocument => BSON.deserialize(bytes, { promoteBuffers: true });

/** Splits a stream of bytes into the BSON documents that it consists of. */
export async function* splitDocuments(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let length = 0;
  let needed = 4;
  for await (const chunk of source) {
    waiting.push(chunk);
    length += chunk.length;
    if (length < needed) continue;
    const pending = Buffer.concat(waiting);
    let offset = 0;
    for (needed = 4; pending.length - offset >= 4;) {
      const size = pending.readInt32LE(offset);
      if (size < MIN_DOCUMENT_BYTES) throw new Error('The backup contains a document of an impossible length.');
      needed = size;
      if (pending.length - offset < size) break;
      yield pending.subarray(offset, offset + size);
      offset += size;
      needed = 4;
    }
    waiting = [pending.subarray(offset)];
    length = pending.length - offset;
  }
  if (length > 0) throw new Error('The backup ends within a document.');
}
