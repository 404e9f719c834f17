import { Worker } from 'node:worker_threads';
import { StatementError } from '../../../domain/business/banking/bank-statement';
import type { Statement } from '../../../domain/business/banking/bank-statement';
import { AppError } from '../../../domain/errors';
import { ByteBudget } from '../../../lib/byte-budget';
import { resolveCompiledFile } from '../../../lib/compiled-file';
import { unpackStatement } from './packed-statement';
import type { StatementThreadReply } from './packed-statement';
import type { StatementFile } from './statement-reader';

export interface StatementThreadLimits {
  /** Heap of a thread. */
  heapMegabytes: number;
  /** A thread that takes longer is ended. */
  maxMs: number;
  /** A file that no thread begins to read within this time is refused. */
  maxWaitMs: number;
}

/** A file within the limits of its format takes about half of the heap, and a second or two. */
const LIMITS: StatementThreadLimits = { heapMegabytes: 192, maxMs: 30_000, maxWaitMs: 20_000 };
const HEAP_BYTES = LIMITS.heapMegabytes * 1024 * 1024;
/** Threads of a process at the same time. */
const MAX_THREADS = 2;
const RETRY_AFTER_SECONDS = 5;

const overloadedError = (): AppError =>
  new AppError('overloaded', 503, `Too many bank statements are being read; try again in ${RETRY_AFTER_SECONDS} s.`, {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });

const isOutOfMemory = (error: Error): boolean => 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';

/**
 * Reads files in threads with a heap of their own, so that a file neither keeps the event loop busy nor fills the memory of
 * the process. A thread reads one file.
 */
export class StatementThreads {
  /** One organisation can use half of it: one thread. */
  private readonly memory = new ByteBudget(MAX_THREADS * HEAP_BYTES);

  /**
   * @param organisationId whose files are read one after the other
   * @throws StatementError with the place in the file, or why it cannot be read
   * @throws AppError 503 if the threads are busy
   */
  async read(organisationId: string, file: StatementFile, limits = LIMITS): Promise<Statement[]> {
    if (!(await this.memory.take(organisationId, HEAP_BYTES, 1, limits.maxWaitMs))) throw overloadedError();
    try {
      const reply = await runThread(file, limits);
      if ('problem' in reply) throw new StatementError(reply.problem);
      return reply.statements.map(unpackStatement);
    } finally {
      this.memory.give(organisationId, HEAP_BYTES);
    }
  }
}

function runThread(
  file: StatementFile,
  { heapMegabytes, maxMs }: StatementThreadLimits,
): Promise<StatementThreadReply> {
  const thread = new Worker(resolveCompiledFile('services/business/banking/statement-thread'), {
    // The bytes of a small buffer lie within those of others, which would be copied, too.
    workerData: { ...file, bytes: new Uint8Array(file.bytes) },
    // It reads an untrusted file and needs no secrets.
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
  });
  return new Promise<StatementThreadReply>((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new StatementError(`takes more than ${maxMs / 1000} s to read; divide it into smaller files`));
      void thread.terminate();
    }, maxMs);
    thread.once('message', resolve);
    thread.once('error', (error: Error) =>
      reject(
        isOutOfMemory(error)
          ? new StatementError('takes too much memory to read; divide it into smaller files')
          : error,
      ),
    );
    thread.once('exit', (code) => {
      clearTimeout(timer);
      // Without effect after a message or an error.
      reject(new Error(`The thread that reads a bank statement ended with code ${code}.`));
    });
  });
}
