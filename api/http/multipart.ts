import busboy from 'busboy';
import type { Request } from 'express';
import { AppError, invalidFieldError } from '../../domain/errors';
import type { FileField, UploadedFile } from './route';

export const MAX_FILE_BYTES = 15 * 1024 * 1024;
/** All files of a request together: they are held in memory. */
const MAX_BODY_BYTES = 64 * 1024 * 1024;
const MAX_FIELD_BYTES = 64 * 1024;
const MAX_FIELDS = 50;

export interface Multipart {
  fields: Record<string, string>;
  files: Record<string, UploadedFile>;
}

const fileTooLargeError = (field: string): AppError =>
  new AppError('file_too_large', 413, `${field}: accepts at most 15 MB.`, {
    fields: [{ field, problem: 'accepts at most 15 MB' }],
  });

const bodyTooLargeError = (): AppError =>
  new AppError('request_too_large', 413, 'The files of a request may have 64 MB together.', {
    fields: [{ field: 'body', problem: 'accepts files of 64 MB together' }],
  });

/**
 * Reads a multipart body into memory, within limits.
 * @param acceptedFields names of the file fields; another file is refused, so that nothing unread is taken for checked.
 * @throws AppError 400, 413 or 415 naming the field.
 */
export function readMultipart(
  request: Request,
  acceptedFields: Readonly<Record<string, Pick<FileField, 'maxCount'>>>,
): Promise<Multipart> {
  const names = Object.keys(acceptedFields);
  const getMaxCount = (name: string): number => acceptedFields[name]?.maxCount ?? 1;
  const contentType = request.headers['content-type'] ?? '';
  if (!contentType.toLowerCase().startsWith('multipart/form-data')) {
    throw new AppError('unsupported_media_type', 415, 'Content-Type: accepts multipart/form-data.');
  }
  return new Promise((resolve, reject) => {
    // Not objects, on which a field named like something every object has would be there before it came.
    const fields = new Map<string, string>();
    const files = new Map<string, UploadedFile>();
    const countByField = new Map<string, number>();
    let total = 0;
    const fail = (error: AppError): void => {
      request.unpipe(parser);
      request.resume();
      reject(error);
    };
    const failMalformed = (): void => fail(invalidFieldError('body', 'is not a well-formed multipart/form-data body'));
    let parser: busboy.Busboy;
    try {
      parser = busboy({
        headers: request.headers,
        limits: {
          fileSize: MAX_FILE_BYTES,
          files: names.reduce((sum, name) => sum + getMaxCount(name), 1),
          fieldSize: MAX_FIELD_BYTES,
          fields: MAX_FIELDS,
        },
      });
    } catch {
      reject(invalidFieldError('body', 'is not a well-formed multipart/form-data body'));
      request.resume();
      return;
    }
    parser.on('field', (name, value, info) => {
      if (info.valueTruncated) fail(invalidFieldError(name, 'is too long'));
      else if (names.includes(name)) fail(invalidFieldError(name, 'must be a file'));
      else if (fields.has(name)) fail(invalidFieldError(name, 'must be given once'));
      else fields.set(name, value);
    });
    parser.on('file', (name, stream, info) => {
      // A body that ends within a file ends the file's own stream with an error, which unheard would end the process.
      stream.on('error', failMalformed);
      if (!names.includes(name)) {
        stream.resume();
        fail(invalidFieldError(name, `is not a file field here; accepted: ${names.join(', ')}`));
        return;
      }
      const count = countByField.get(name) ?? 0;
      countByField.set(name, count + 1);
      if (count >= getMaxCount(name)) {
        stream.resume();
        fail(
          invalidFieldError(
            name,
            getMaxCount(name) === 1 ? 'must be given once' : `accepts at most ${getMaxCount(name)} files`,
          ),
        );
        return;
      }
      const fieldName = getMaxCount(name) === 1 ? name : `${name}[${count}]`;
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => {
        total += chunk.length;
        if (total > MAX_BODY_BYTES) fail(bodyTooLargeError());
        else chunks.push(chunk);
      });
      stream.on('limit', () => fail(fileTooLargeError(fieldName)));
      stream.on('end', () => {
        files.set(fieldName, { body: Buffer.concat(chunks), name: info.filename ?? '' });
      });
    });
    parser.on('fieldsLimit', () => fail(invalidFieldError('body', `accepts at most ${MAX_FIELDS} text fields`)));
    parser.on('error', failMalformed);
    parser.on('close', () => resolve({ fields: Object.fromEntries(fields), files: Object.fromEntries(files) }));
    request.on('aborted', failMalformed);
    request.pipe(parser);
  });
}
