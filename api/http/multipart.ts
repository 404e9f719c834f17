import type { Readable } from 'node:stream';
import busboy from 'busboy';
import type { Request } from 'express';
import { AppError, invalidFieldError } from '../../domain/errors';
import { fileTooLargeError, MAX_FILE_BYTES, MEGABYTE } from '../../domain/file-size';
import type { RequestBody, SpooledFile } from './body-intake';
import { isStorable } from './json-body';
import type { FileField, UploadedFile } from './route';

/** Limit for all files of a request. */
const MAX_BODY_BYTES = 64 * MEGABYTE;
const MAX_FIELD_BYTES = 64 * 1024;
const MAX_FIELDS = 50;

export interface Multipart {
  fields: Record<string, string>;
  files: Record<string, UploadedFile>;
}

const bodyTooLargeError = (): AppError =>
  new AppError('request_too_large', 413, 'The files of a request may have at most 64 MB in total.', {
    fields: [{ field: 'body', problem: 'accepts files of at most 64 MB in total' }],
  });

type FileFields = Readonly<Record<string, Pick<FileField, 'maxCount'>>>;

const malformedError = (): AppError => invalidFieldError('body', 'is not a well-formed multipart/form-data body');

/**
 * Reads a multipart body, within limits. Large files are on disk until the body is complete.
 * @param acceptedFields names of the file fields; a file of another name is rejected, so that no file is ignored
 * @param body holds the files, until the caller releases it
 * @throws AppError 400, 413 or 415 naming the field; 503 above the budget of the process
 */
export async function readMultipart(
  request: Request,
  acceptedFields: FileFields,
  body: RequestBody,
): Promise<Multipart> {
  const contentType = request.headers['content-type'] ?? '';
  if (!contentType.toLowerCase().startsWith('multipart/form-data')) {
    throw new AppError('unsupported_media_type', 415, 'Content-Type: accepts multipart/form-data.');
  }
  if ((request.headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity')
    throw new AppError('unsupported_media_type', 415, 'Content-Encoding: accepts no compressed multipart/form-data.');
  const collector = await receiveParts(request, acceptedFields, body);
  await body.loadFiles();
  return collector.toMultipart();
}

function receiveParts(request: Request, acceptedFields: FileFields, body: RequestBody): Promise<MultipartCollector> {
  return new Promise((resolve, reject) => {
    const fail = (error: unknown): void => {
      if (parser !== null) {
        request.unpipe(parser);
        parser.destroy();
      }
      request.resume();
      reject(error instanceof Error ? error : malformedError());
    };
    const parser = createParser(request, acceptedFields);
    if (parser === null) {
      fail(malformedError());
      return;
    }
    const collector = new MultipartCollector(acceptedFields, body, fail);
    parser.on('field', (name, value, info) => collector.addField(name, value, info.valueTruncated));
    parser.on('file', (name, stream, info) => collector.addFile(name, stream, info.filename));
    parser.on('fieldsLimit', () => fail(invalidFieldError('body', `accepts at most ${MAX_FIELDS} text fields`)));
    parser.on('error', () => fail(malformedError()));
    parser.on('close', () => void collector.finish().then(() => resolve(collector), fail));
    request.on('aborted', () => fail(malformedError()));
    request.pipe(parser);
  });
}

const getMaxCount = (acceptedFields: FileFields, name: string): number => acceptedFields[name]?.maxCount ?? 1;

/** @returns null if the headers describe no multipart body */
function createParser(request: Request, acceptedFields: FileFields): busboy.Busboy | null {
  const files = Object.keys(acceptedFields).reduce((sum, name) => sum + getMaxCount(acceptedFields, name), 1);
  try {
    return busboy({
      headers: request.headers,
      limits: { fileSize: MAX_FILE_BYTES, files, fieldSize: MAX_FIELD_BYTES, fields: MAX_FIELDS },
    });
  } catch {
    return null;
  }
}

/** Collects the parts of one body and reports the first part that is not accepted. */
class MultipartCollector {
  // Maps rather than objects, because a field may have the name of a property of every object.
  private readonly fields = new Map<string, string>();
  private readonly files = new Map<string, { file: SpooledFile; name: string }>();
  private readonly receptions: Promise<void>[] = [];
  private readonly countByField = new Map<string, number>();
  private totalBytes = 0;

  constructor(
    private readonly acceptedFields: FileFields,
    private readonly body: RequestBody,
    private readonly fail: (error: unknown) => void,
  ) {}

  /** @param value undefined if the part names a character set that the parser does not know */
  addField(name: string, value: string | undefined, truncated: boolean): void {
    if (value === undefined)
      this.fail(invalidFieldError(name, 'has a character set that is not supported; accepts UTF-8'));
    else if (truncated) this.fail(invalidFieldError(name, 'is too long'));
    else if (!isStorable(value)) this.fail(invalidFieldError(name, 'must not contain U+0000'));
    else if (this.accepts(name)) this.fail(invalidFieldError(name, 'must be a file'));
    else if (this.fields.has(name)) this.fail(invalidFieldError(name, 'must be given once'));
    else this.keepField(name, value);
  }

  addFile(name: string, stream: Readable, filename: string | undefined): void {
    const maxCount = getMaxCount(this.acceptedFields, name);
    const count = this.countByField.get(name) ?? 0;
    this.countByField.set(name, count + 1);
    const problem = this.findFileProblem(name, count, maxCount);
    if (problem !== null) {
      stream.on('error', () => undefined);
      stream.resume();
      this.fail(invalidFieldError(name, problem));
      return;
    }
    const fieldName = maxCount === 1 ? name : `${name}[${count}]`;
    const file = this.body.createFile();
    this.files.set(fieldName, { file, name: filename ?? '' });
    // Not within the event: the parser still writes to the stream after it, which a destroyed parser no longer has.
    stream.on('limit', () => setImmediate(() => this.fail(fileTooLargeError(fieldName))));
    this.receptions.push(this.receive(stream, file).catch(this.fail));
  }

  /** Waits for the files that are still being written. */
  async finish(): Promise<void> {
    await Promise.all(this.receptions);
  }

  /** After the files were loaded. */
  toMultipart(): Multipart {
    const files = [...this.files].map(([field, { file, name }]) => [field, { body: file.body, name }] as const);
    return { fields: Object.fromEntries(this.fields), files: Object.fromEntries(files) };
  }

  private async receive(stream: Readable, file: SpooledFile): Promise<void> {
    const chunks: AsyncIterable<Buffer> = stream;
    try {
      for await (const chunk of chunks) {
        this.totalBytes += chunk.length;
        if (this.totalBytes > MAX_BODY_BYTES) throw bodyTooLargeError();
        await file.append(chunk);
      }
    } catch (error) {
      // If the body ends within a file, the stream of the file fails.
      throw error instanceof AppError ? error : malformedError();
    }
  }

  private keepField(name: string, value: string): void {
    try {
      this.body.takeMemory(Buffer.byteLength(value));
    } catch (error) {
      this.fail(error);
      return;
    }
    this.fields.set(name, value);
  }

  private accepts(name: string): boolean {
    return Object.keys(this.acceptedFields).includes(name);
  }

  private findFileProblem(name: string, count: number, maxCount: number): string | null {
    if (!this.accepts(name)) {
      return `is not a file field here; accepted: ${Object.keys(this.acceptedFields).join(', ')}`;
    }
    if (count < maxCount) return null;
    return maxCount === 1 ? 'must be given once' : `accepts at most ${maxCount} files`;
  }
}
