import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { buildChildEnvironment } from '../../../lib/child-environment';
import { readProcessUsage } from '../../../lib/process-usage';
import { resolveCompiledFile } from '../../../lib/compiled-file';
import { decodeReplySchema } from './protocol';
import type { DecodeReply } from './protocol';
import type { DecodeRequest } from './requests';

export interface DecoderLimits {
  /** images with more pixels are rejected before they are decoded */
  maxPixels: number;
  /** processor time for one file; a decoder that needs more is killed */
  maxSeconds: { image: number; pdf: number };
  /** how many times its processor time a file may take on an overloaded machine; a decoder that takes longer is killed, too */
  maxSlowdown: number;
  /** resident memory of a decoder; one that uses more is killed */
  maxBytes: number;
  /** number of files after which a decoder is replaced */
  filesPerProcess: number;
}

/**
 * How a decoder ended its work on a file: with a reply, for using too much, or for any other reason. `not_started`: it has
 * never read the file, because the machine could not start its process.
 */
export type DecodeOutcome = DecodeReply | 'seconds' | 'memory' | 'crashed' | 'not_started';

const CHECK_EVERY_MS = 100;

interface Work {
  request: DecodeRequest;
  /** processor seconds of the process before this file */
  usedBefore: number;
  startedAt: number;
  timer: NodeJS.Timeout;
  resolve: (outcome: DecodeOutcome) => void;
}

/** Starts the process of a decoder. @returns null if it could not be started and Node reports that by an exception */
function startChild(): ChildProcess | null {
  try {
    return fork(resolveCompiledFile('activities/vision/decoding/child'), [], {
      env: buildChildEnvironment(),
      serialization: 'advanced',
      // What native libraries print about a file is neither JSON nor free of its content.
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
  } catch {
    return null;
  }
}

/** A child process that decodes one file at a time, all of one organisation. */
export class Decoder {
  /** The organisation whose files it has decoded; null before its first. */
  organisationId: string | null = null;
  private files = 0;
  private readonly child = startChild();
  private work: Work | null = null;
  /** Resolved when the process has ended. */
  readonly ended: Promise<void>;
  private running = true;

  constructor(private readonly limits: DecoderLimits) {
    const { child } = this;
    if (child === null) {
      this.running = false;
      this.ended = Promise.resolve();
      return;
    }
    child.on('message', (message) => this.receive(message));
    this.ended = new Promise((resolve) => {
      const end = (): void => {
        this.running = false;
        this.settle('crashed');
        resolve();
      };
      child.once('exit', end);
      child.on('error', () => {
        child.kill('SIGKILL');
        // A process that could not be started does not exit.
        if (child.pid === undefined) end();
      });
    });
  }

  /** Process id of the child; undefined if it could not be started. */
  get pid(): number | undefined {
    return this.child?.pid;
  }

  /** Whether the child has not ended; it may be decoding. */
  get isRunning(): boolean {
    return this.running;
  }

  /** Whether it decodes no file now; an ended process is idle, too. */
  get isIdle(): boolean {
    return this.work === null;
  }

  /** Whether it may decode a file: it has decoded none of another organisation, and not too many. */
  accepts(organisationId: string | null): boolean {
    if (!this.running || this.files >= this.limits.filesPerProcess) return false;
    return organisationId === null || this.organisationId === null || this.organisationId === organisationId;
  }

  /** Decodes a file. @returns the outcome and the processor time used, null if unknown */
  async decode(
    request: DecodeRequest,
    organisationId: string | null,
  ): Promise<{ outcome: DecodeOutcome; seconds: number | null }> {
    this.organisationId = organisationId ?? this.organisationId;
    this.files += 1;
    const { child } = this;
    // Node gives a process that could not be started no id, and no channel to send a file to.
    if (child?.pid === undefined) return { outcome: 'not_started', seconds: 0 };
    const usedBefore = this.readUsage()?.seconds ?? 0;
    let seconds: number | null = null;
    const outcome = await new Promise<DecodeOutcome>((resolve) => {
      const timer = setInterval(() => {
        seconds = this.checkUsage() ?? seconds;
      }, CHECK_EVERY_MS);
      this.work = { request, usedBefore, startedAt: performance.now(), timer, resolve };
      child.send(request, (error) => {
        // The child is ending, which settles the work.
        if (error !== null) child.kill('SIGKILL');
      });
    });
    const used = this.readUsage()?.seconds;
    return { outcome, seconds: used === undefined ? seconds : used - usedBefore };
  }

  /** Ends the process, if no file is being decoded at once. */
  retire(): void {
    if (this.child?.connected === true) this.child.disconnect();
  }

  private readUsage() {
    return this.pid === undefined ? null : readProcessUsage(this.pid);
  }

  /** Kills the process if it uses too much. @returns the processor time used for the current file, if known */
  private checkUsage(): number | null {
    const { work } = this;
    if (work === null) return null;
    const isPdf = work.request.kind === 'letter' || work.request.type === 'application/pdf';
    const maxSeconds = isPdf ? this.limits.maxSeconds.pdf : this.limits.maxSeconds.image;
    const elapsed = (performance.now() - work.startedAt) / 1000;
    const usage = this.readUsage();
    const seconds = usage === null ? elapsed : usage.seconds - work.usedBefore;
    if (seconds > maxSeconds) this.kill('seconds');
    else if (usage !== null && usage.bytes > this.limits.maxBytes) this.kill('memory');
    // A file that has used much of its time by then needs too much; else the machine, or a hanging decoder, is the cause.
    else if (elapsed > maxSeconds * this.limits.maxSlowdown)
      this.kill(seconds > maxSeconds / 2 ? 'seconds' : 'crashed');
    return seconds;
  }

  private kill(reason: 'seconds' | 'memory' | 'crashed'): void {
    this.running = false;
    this.child?.kill('SIGKILL');
    this.settle(reason);
  }

  /** Takes a reply. A decoder that a crafted file took over, or whose results are no numbers, can send anything. */
  private receive(message: unknown): void {
    const { success, data: reply } = decodeReplySchema.safeParse(message);
    if (!success) this.kill('crashed');
    else if (this.work?.request.id === reply.id) this.settle(reply);
  }

  private settle(outcome: DecodeOutcome): void {
    const { work } = this;
    this.work = null;
    if (work === null) return;
    clearInterval(work.timer);
    work.resolve(outcome);
  }
}
