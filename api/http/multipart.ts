import busboy from 'busboy';
import type { Request } from 'express';
import { AppError, invalidField } from '../../domain/errors';
import type { FileField, UploadedFile } from './route';

export const LARGEST_FILE_BYTES = 15 * 1024 * 1024;
/** All files of a request together: they are held in memory. */
const LARGEST_BODY_BYTES = 64 * 1024 * 1024;
const LARGEST_FIELD_BYTES = 64 * 1024;
const MOST_FIELDS = 50;

export interface Multipart {
  fields: Record<string, string>;
  files: Record<string, UploadedFile>;
}

const tooLarge = (field: string): AppError =>
  new AppError('file_too_large', 413, `${field}: accepts at most 15 MB.`, {
    fields: [{ field, problem: 'accepts at most 15 MB' }],
  });

const bodyTooLarge = (): AppError =>
  new AppError('request_too_large', 413, 'The files of a request may have 64 MB together.', {
    fields: [{ field: 'body', problem: 'accepts files of 64 MB together' }],
  });

/**
 * Reads a multipart body into memory, within limits.
 * @param accepted names of the file fields; another file is refused, so that nothing unread is taken for checked.
 * @throws AppError 400, 413 or 415 naming the field.
 */
export function readMultipart(
  request: Request,
  accepted: Readonly<Record<string, Pick<FileField, 'most'>>>,
): Promise<Multipart> {
  const names = Object.keys(accepted);
  const most = (name: string): number => accepted[name]?.most ?? 1;
  const contentType = request.headers['content-type'] ?? '';
  if (!contentType.toLowerCase().startsWith('multipart/form-data')) {
    throw new AppError('unsupported_media_type', 415, 'Content-Type: accepts multipart/form-data.');
  }
  return new Promise((resolve, reject) => {
    // Not objects, on which a field named like something every object has would be there before it came.
    const fields = new Map<string, string>();
    const files = new Map<string, UploadedFile>();
    const given = new Map<string, number>();
    let total = 0;
    const fail = (error: AppError): void => {
      request.unpipe(parser);
      request.resume();
      reject(error);
    };
    const malformed = (): void => fail(invalidField('body', 'is not a well-formed multipart/form-data body'));
    let parser: busboy.Busboy;
    try {
      parser = busboy({
        headers: request.headers,
        limits: {
          fileSize: LARGEST_FILE_BYTES,
          files: names.reduce((sum, name) => sum + most(name), 1),
          fieldSize: LARGEST_FIELD_BYTES,
          fields: MOST_FIELDS,
        },
      });
    } catch {
      reject(invalidField('body', 'is not a well-formed multipart/form-data body'));
      request.resume();
      return;
    }
    parser.on('field', (name, value, info) => {
      if (info.valueTruncated) fail(invalidField(name, 'is too long'));
      else if (names.includes(name)) fail(invalidField(name, 'must be a file'));
      else if (fields.has(name)) fail(invalidField(name, 'must be given once'));
      else fields.set(name, value);
    });
    parser.on('file', (name, stream, info) => {
      // A body that ends within a file ends the file's own stream with an error, which unheard would end the process.
      stream.on('error', malformed);
      if (!names.includes(name)) {
        stream.resume();
        fail(invalidField(name, `is not a file field here; accepted: ${names.join(', ')}`));
        return;
      }
      const count = given.get(name) ?? 0;
      given.set(name, count + 1);
      if (count >= most(name)) {
        stream.resume();
        fail(invalidField(name, most(name) === 1 ? 'must be given once' : `accepts at most ${most(name)} files`));
        return;
      }
      const place = most(name) === 1 ? name : `${name}[${count}]`;
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => {
        total += chunk.length;
        if (total > LARGEST_BODY_BYTES) fail(bodyTooLarge());
        else chunks.push(chunk);
      });
      stream.on('limit', () => fail(tooLarge(place)));
      stream.on('end', () => {
        files.set(place, { body: Buffer.concat(chunks), name: info.filename ?? '' });
      });
    });
    parser.on('fieldsLimit', () => fail(invalidField('body', `accepts at most ${MOST_FIELDS} text fields`)));
    parser.on('error', malformed);
    parser.on('close', () => resolve({ fields: Object.fromEntries(fields), files: Object.fromEntries(files) }));
    request.on('aborted', malformed);
    request.pipe(parser);
  });
}
