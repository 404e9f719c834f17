const vm = require('node:vm');
const { ModuleMocker } = require('jest-mock');

/** Stands for the context of the test process, which has no handle of its own. */
const MAIN_CONTEXT = Object.freeze({});
const compileFunction = vm.compileFunction;
vm.compileFunction = (code, parameters, { parsingContext, ...options } = {}) =>
  compileFunction(code, parameters, parsingContext === MAIN_CONTEXT ? options : { ...options, parsingContext });

/** How often a process that runs test files looks whether the one that started it still runs. */
const PARENT_CHECK_MS = 500;
// It ends with that one, which may be killed. The runtime of Temporal, which test files load, takes SIGTERM for itself.
const startedBy = process.ppid;
const leaveWithParent = (exit) => () => process.ppid === startedBy || exit(1);
setInterval(leaveWithParent(process.exit.bind(process)), PARENT_CHECK_MS).unref();

/** Where jest keeps the handlers of a file's test events; the next file must not find them. */
const EVENT_HANDLERS = Symbol.for('EVENT_HANDLERS');

/** Functions of a test file that describe what its test was working with; what they return is printed if the test fails. */
const FAILURE_DETAILS = Symbol.for('vouch.failureDetails');

/** Processes that a test file has started and not stopped: a test that fails does not stop what it has started. */
const STARTED_PROCESSES = Symbol.for('vouch.startedProcesses');

/**
 * Runs tests in the global context of the test process instead of one context per file. A separate context costs a proxy
 * call for each use of a global variable, and its own copy of every module.
 */
class SharedEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimers = null;
  fakeTimersModern = null;
  #console = globalThis.console;
  #exit = process.exit;
  #env = { ...process.env };

  async setup() {}

  /** Prints the details of a test that fails, before its file closes what they describe. */
  async handleTestEvent({ name, test }) {
    if (name !== 'test_fn_failure') return;
    for (const describe of globalThis[FAILURE_DETAILS] ?? [])
      process.stderr.write(`When “${test.name}” failed:\n${await describe()}\n`);
  }

  /** Restores what jest and the test file have replaced, and ends what the file has left running. */
  async teardown() {
    globalThis.console = this.#console;
    process.exit = this.#exit;
    for (const name of Object.keys(process.env)) if (!(name in this.#env)) delete process.env[name];
    Object.assign(process.env, this.#env);
    delete globalThis[EVENT_HANDLERS];
    globalThis[FAILURE_DETAILS]?.clear();
    for (const child of globalThis[STARTED_PROCESSES] ?? []) child.kill('SIGKILL');
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return MAIN_CONTEXT;
  }
}

module.exports = SharedEnvironment;
