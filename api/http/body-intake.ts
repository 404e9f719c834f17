import { tmpdir } from 'node:os';
import { MEGABYTE } from '../../domain/file-size';
import { AppError, unavailableError } from '../../domain/errors';
import { ByteBudget } from '../../lib/byte-budget';
import type { Config } from '../../lib/config';
import { SpoolFile } from '../../lib/spool-file';

/** The files of a request beyond this size are written to disk until the whole body has arrived. */
const REQUEST_MEMORY_BYTES = MEGABYTE;
/** Files may fill this part of the memory for bodies; the rest is left for JSON. */
const FILE_SHARE = 0.75;
/** A complete upload waits this long for memory before it is refused. */
const MAX_WAIT_MS = 10_000;
const RETRY_AFTER_SECONDS = 5;

type IntakeSettings = Pick<Config, 'BODY_MEMORY_MEGABYTES' | 'UPLOAD_DISK_MEGABYTES' | 'UPLOAD_DIR'>;

const overloadedError = (): AppError =>
  new AppError(
    'overloaded',
    503,
    `Too many request bodies are being received or processed; try again in ${RETRY_AFTER_SECONDS} s.`,
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  );

const rethrowDiskError = (error: unknown): never => {
  throw unavailableError('The upload could not be stored temporarily; try again.', error);
};

/**
 * Where parts of uploads are written that do not fit into memory: `UPLOAD_DIR`, or the directory of temporary files.
 */
export const getSpoolDirectory = ({ UPLOAD_DIR }: Pick<Config, 'UPLOAD_DIR'>): string => UPLOAD_DIR ?? tmpdir();

/** The bodies that a process receives and processes at once, in memory and on disk. */
export class BodyIntake {
  readonly memory: ByteBudget;
  readonly disk: ByteBudget;
  readonly directory: string;

  constructor(settings: IntakeSettings) {
    this.memory = new ByteBudget(settings.BODY_MEMORY_MEGABYTES * MEGABYTE);
    this.disk = new ByteBudget(settings.UPLOAD_DISK_MEGABYTES * MEGABYTE);
    this.directory = getSpoolDirectory(settings);
  }

  /** @param owner organisation, or address of a request without one; it may use half of each budget */
  open(owner: string): RequestBody {
    return new RequestBody(this, owner);
  }
}

/** What one request holds of the budgets, until `release`. */
export class RequestBody {
  private memoryBytes = 0;
  private diskBytes = 0;
  private readonly files: SpooledFile[] = [];
  private released = false;

  constructor(
    private readonly intake: BodyIntake,
    private readonly owner: string,
  ) {}

  /** Takes memory for a JSON body or a text field. @throws AppError 503; Error after `release`, which is final */
  takeMemory(bytes: number): void {
    this.requireOpen();
    if (!this.intake.memory.tryTake(this.owner, bytes)) throw overloadedError();
    this.memoryBytes += bytes;
  }

  /** Registers an empty file, which ends with the request. */
  createFile(): SpooledFile {
    const file = new SpooledFile(this);
    this.files.push(file);
    return file;
  }

  /** @returns whether a part of a file may stay in memory */
  tryKeepInMemory(bytes: number): boolean {
    if (this.memoryBytes + bytes > REQUEST_MEMORY_BYTES) return false;
    if (!this.intake.memory.tryTake(this.owner, bytes, FILE_SHARE)) return false;
    this.memoryBytes += bytes;
    return true;
  }

  /** @throws AppError 503 */
  takeDisk(bytes: number): void {
    if (!this.intake.disk.tryTake(this.owner, bytes)) throw overloadedError();
    this.diskBytes += bytes;
  }

  /** @throws AppError 503 if the disk fails */
  async createSpoolFile(): Promise<SpoolFile> {
    const file = await SpoolFile.create(this.intake.directory).catch(rethrowDiskError);
    if (!this.released) return file;
    await file.close();
    throw new Error('The request has ended.');
  }

  /** @throws Error after `release`: a late part of the body must not take memory that is never given back */
  requireOpen(): void {
    if (this.released) throw new Error('The request has ended.');
  }

  /** Reads the complete files into memory. @throws AppError 503 if there is not enough memory in time */
  async loadFiles(): Promise<void> {
    const bytes = this.diskBytes;
    if (bytes > 0) {
      if (!(await this.intake.memory.take(this.owner, bytes, FILE_SHARE, MAX_WAIT_MS))) throw overloadedError();
      this.memoryBytes += bytes;
    }
    for (const file of this.files) await file.load();
    this.giveDiskBack();
  }

  /** Removes the files and gives everything back. */
  async release(): Promise<void> {
    this.released = true;
    try {
      await Promise.all(this.files.map((file) => file.close()));
    } finally {
      this.intake.memory.give(this.owner, this.memoryBytes);
      this.memoryBytes = 0;
      this.giveDiskBack();
    }
  }

  private giveDiskBack(): void {
    this.intake.disk.give(this.owner, this.diskBytes);
    this.diskBytes = 0;
  }
}

/** A file of a request: its beginning in memory, and the rest on disk until the body is complete. */
export class SpooledFile {
  private readonly chunks: Buffer[] = [];
  private chunkBytes = 0;
  private spooledBytes = 0;
  private spool: SpoolFile | null = null;
  private loaded: Buffer | null = null;

  constructor(private readonly request: RequestBody) {}

  /** @throws AppError 503 above the budgets, or if the disk fails */
  async append(chunk: Buffer): Promise<void> {
    this.request.requireOpen();
    if (this.spool === null && this.request.tryKeepInMemory(chunk.length)) {
      this.chunks.push(chunk);
      this.chunkBytes += chunk.length;
      return;
    }
    this.request.takeDisk(chunk.length);
    const spool = this.spool ?? (await this.request.createSpoolFile());
    this.spool = spool;
    await spool.append(chunk).catch(rethrowDiskError);
    this.spooledBytes += chunk.length;
  }

  /** The whole file, after `RequestBody.loadFiles`. */
  get body(): Buffer {
    if (this.loaded === null) throw new Error('The file is not loaded.');
    return this.loaded;
  }

  /**
   * Joins the parts in memory and on disk, for which `RequestBody.loadFiles` has taken the memory, and removes the
   * latter.
   */
  async load(): Promise<void> {
    const body = Buffer.allocUnsafeSlow(this.chunkBytes + this.spooledBytes);
    let offset = 0;
    for (const chunk of this.chunks.splice(0)) offset += chunk.copy(body, offset);
    await this.spool?.readInto(body.subarray(offset));
    await this.close();
    this.loaded = body;
  }

  /** Drops what is not loaded, and removes the file on disk; can be repeated. */
  async close(): Promise<void> {
    const spool = this.spool;
    this.spool = null;
    this.chunks.length = 0;
    await spool?.close();
  }
}
