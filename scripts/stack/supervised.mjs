import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { identify } from './identity.mjs';
import { formatLogLine } from './log-lines.mjs';

const FIRST_PAUSE_MS = 300;
/** Also while its cause lasts, such as a full disk: a process that serves others starts soon after the end of it. */
const MAX_PAUSE_MS = 3000;
/** After a process has run this long, its next failure starts the back-off from the beginning. */
const STEADY_AFTER_MS = 30_000;

/**
 * A child process that is restarted whenever it ends. It has its own process group: Ctrl-C in the terminal reaches only
 * the launcher, which stops its children in order, and processes that the child started can be killed together with it.
 */
export class Supervised {
  #child = null;
  #stopping = false;
  #pauseMs = FIRST_PAUSE_MS;
  #startedAtMs = 0;

  /**
   * @param {object} options
   * @param {string} options.role name in logs, run.json and `npm run status`
   * @param {string} options.command
   * @param {string[]} options.args
   * @param {NodeJS.ProcessEnv} options.env
   * @param {string} options.logFile stdout and stderr are appended to it
   * @param {(line: string) => void} [options.onLine] also receives each line of stdout and stderr
   * @param {string} [options.cwd]
   * @param {(message: string) => void} options.log receives a message when the process ended and is restarted
   * @param {() => void} [options.changed] called after every start and end, when the process id has changed
   * @param {() => Promise<void>} [options.afterRestart] called after a restart that follows an unexpected end
   */
  constructor(options) {
    this.options = options;
    this.role = options.role;
    this.restarts = 0;
    this.identity = null;
  }

  /** The process id, or null while it is not running. */
  get pid() {
    return this.#child?.pid ?? null;
  }

  /**
   * Starts the process; `ready` waits until it serves.
   * @throws {Error} if it cannot start, or is stopped before it has
   */
  async start() {
    const { command, args, env, cwd, logFile, onLine, role } = this.options;
    const output = createWriteStream(logFile, { flags: 'a' });
    await once(output, 'open');
    // Nothing would stop a process that starts now.
    if (this.#stopping) {
      output.close();
      throw new Error(`${role} was stopped before it started`);
    }
    const target = onLine === undefined ? output : 'pipe';
    const child = spawn(command, args, { env, cwd, detached: true, stdio: ['ignore', target, target] });
    this.#child = child;
    this.#startedAtMs = Date.now();
    child.once('error', (error) => this.#ended(child, `could not start: ${error.message}`));
    child.once('exit', (code, signal) => this.#ended(child, `ended with ${signal ?? `code ${code}`}`));
    await once(child, 'spawn').catch((error) => {
      throw new Error(`${role} could not start: ${error.message}`);
    });
    if (onLine === undefined) output.close();
    else this.#readLines(child, output, onLine);
    this.identity = await identify(child.pid);
    this.options.changed?.();
  }

  #readLines(child, output, onLine) {
    for (const stream of [child.stdout, child.stderr]) {
      stream.pipe(output, { end: false });
      createInterface({ input: stream }).on('line', onLine);
    }
    child.once('close', () => output.close());
  }

  #ended(child, how) {
    if (this.#child !== child) return;
    this.#child = null;
    this.identity = null;
    this.options.changed?.();
    if (this.#stopping) return;
    // Kills the processes that it had started.
    if (child.pid !== undefined) signalProcess(-child.pid, 'SIGKILL');
    if (Date.now() - this.#startedAtMs > STEADY_AFTER_MS) this.#pauseMs = FIRST_PAUSE_MS;
    const pauseMs = this.#pauseMs;
    this.#pauseMs = Math.min(this.#pauseMs * 2, MAX_PAUSE_MS);
    this.options.log(`${this.role} ${how}; restarting in ${pauseMs / 1000} s`);
    this.#restartAfter(pauseMs).catch((error) => {
      if (!this.#stopping) this.options.log(`${this.role} could not be restarted: ${error.message}`);
    });
  }

  async #restartAfter(pauseMs) {
    await delay(pauseMs);
    if (this.#stopping || this.#child !== null) return;
    this.restarts += 1;
    await this.start();
    await this.options.afterRestart?.();
  }

  /** Stops the process as `stop` does and starts it again. */
  async restart(graceSeconds) {
    await this.stop(graceSeconds);
    this.#stopping = false;
    await this.start();
  }

  /**
   * Waits until `check` returns true, calling it every 50 ms. Fails early if the process keeps ending.
   * @param {() => Promise<boolean>} check
   * @param {number} withinSeconds
   */
  async ready(check, withinSeconds) {
    const deadline = Date.now() + withinSeconds * 1000;
    while (Date.now() < deadline) {
      // While this process is down, a positive check comes from another process on the same port.
      if ((await check().catch(() => false)) && this.pid !== null) return;
      if (this.restarts >= 3 && this.pid === null) throw new Error(await this.#describeFailure('keeps ending'));
      await delay(50);
    }
    throw new Error(await this.#describeFailure(`was not ready within ${withinSeconds} s`));
  }

  async #describeFailure(problem) {
    const text = await readFile(this.options.logFile, 'utf8').catch(() => '');
    const last = text
      .trim()
      .split('\n')
      .slice(-12)
      .map((line) => `    ${formatLogLine(this.role, line).slice(0, 400)}`);
    return [`${this.role} ${problem}. Last lines of ${this.options.logFile}:`, ...last].join('\n');
  }

  /**
   * Stops the process with SIGTERM, and kills its whole group after the grace period.
   * @param {number} graceSeconds
   */
  async stop(graceSeconds) {
    this.#stopping = true;
    const child = this.#child;
    if (child === null) return;
    const exited = once(child, 'exit');
    signalProcess(child.pid, 'SIGTERM');
    const inTime = await Promise.race([exited.then(() => true), delay(graceSeconds * 1000, false, { ref: false })]);
    signalProcess(-child.pid, 'SIGKILL');
    if (!inTime) await exited;
  }
}

/** Sends a signal to a process, or to a group for a negative id. One that has already ended is not an error. */
export function signalProcess(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH' && error.code !== 'EPERM') throw error;
  }
}
