import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { identify } from './identity.mjs';

const FIRST_PAUSE_MS = 300;
const LONGEST_PAUSE_MS = 10_000;
/** A process that lived this long is taken to have been well: its next end starts the back-off anew. */
const STEADY_AFTER_MS = 30_000;

/**
 * One child process that is kept running. It gets a process group of its own: a Ctrl-C in the terminal reaches only
 * the launcher, which ends its children in order, and what a child left behind can be ended with it.
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
   * @param {string} [options.cwd]
   * @param {(message: string) => void} options.log says what ended and was started again
   * @param {() => void} [options.changed] called after every start and end, when the process id is another
   * @param {() => Promise<void>} [options.afterRestart] what must be done again once it is back
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

  /** Starts the process; what it needs to be ready is asked with `ready`. */
  async start() {
    const { command, args, env, cwd, logFile, role } = this.options;
    const output = createWriteStream(logFile, { flags: 'a' });
    await once(output, 'open');
    const child = spawn(command, args, { env, cwd, detached: true, stdio: ['ignore', output, output] });
    this.#child = child;
    this.#startedAtMs = Date.now();
    child.once('error', (error) => this.#ended(child, `could not start: ${error.message}`));
    child.once('exit', (code, signal) => this.#ended(child, `ended with ${signal ?? `code ${code}`}`));
    await once(child, 'spawn').catch((error) => {
      throw new Error(`${role} could not start: ${error.message}`);
    });
    output.close();
    this.identity = await identify(child.pid);
    this.options.changed?.();
  }

  #ended(child, how) {
    if (this.#child !== child) return;
    this.#child = null;
    this.identity = null;
    this.options.changed?.();
    if (this.#stopping) return;
    // What it had started itself and could not end any more.
    if (child.pid !== undefined) signalProcess(-child.pid, 'SIGKILL');
    if (Date.now() - this.#startedAtMs > STEADY_AFTER_MS) this.#pauseMs = FIRST_PAUSE_MS;
    const pauseMs = this.#pauseMs;
    this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS);
    this.options.log(`${this.role} ${how}; starting it again in ${pauseMs / 1000} s`);
    this.#restart(pauseMs).catch((error) => this.options.log(`${this.role} did not come back: ${error.message}`));
  }

  async #restart(pauseMs) {
    await delay(pauseMs);
    if (this.#stopping || this.#child !== null) return;
    this.restarts += 1;
    await this.start();
    await this.options.afterRestart?.();
  }

  /**
   * Waits until `check` gives true, asking every 50 ms. Ends early when the process keeps dying.
   * @param {() => Promise<boolean>} check
   * @param {number} withinSeconds
   */
  async ready(check, withinSeconds) {
    const deadline = Date.now() + withinSeconds * 1000;
    while (Date.now() < deadline) {
      // Answered while ours is down, it was some other process on the same port.
      if ((await check().catch(() => false)) && this.pid !== null) return;
      if (this.restarts >= 3 && this.pid === null) throw new Error(await this.#complaint('keeps ending'));
      await delay(50);
    }
    throw new Error(await this.#complaint(`was not ready within ${withinSeconds} s`));
  }

  async #complaint(what) {
    const text = await readFile(this.options.logFile, 'utf8').catch(() => '');
    const last = text
      .trim()
      .split('\n')
      .slice(-12)
      .map((line) => `    ${line.slice(0, 400)}`);
    return [`${this.role} ${what}. The end of ${this.options.logFile}:`, ...last].join('\n');
  }

  /**
   * Ends the process: SIGTERM, and SIGKILL to its whole group when it has not ended in time.
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

/** Sends a signal; a process (or group, for a negative number) that is gone already is no error. */
export function signalProcess(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH' && error.code !== 'EPERM') throw error;
  }
}
