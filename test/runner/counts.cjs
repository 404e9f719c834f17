const { renameSync, writeFileSync } = require('node:fs');

/** How often the progress is written at most. */
const PROGRESS_MS = 1000;

/**
 * Writes the counts of a run as JSON to the file named by `VOUCH_TEST_COUNTS`. jest's own `--json` fails when the error
 * of a test refers to itself, as errors of MongoDB do. While tests run, a file next to it is written whenever a test ends:
 * `{"running": […]}`, the test files that have begun and not ended.
 */
class CountsReporter {
  #file = process.env.VOUCH_TEST_COUNTS;
  #running = new Set();
  #reportedAt = 0;

  onTestFileStart(test) {
    this.#running.add(test.path);
    this.#reportProgress();
  }

  onTestCaseResult() {
    if (Date.now() - this.#reportedAt >= PROGRESS_MS) this.#reportProgress();
  }

  onTestFileResult(test) {
    this.#running.delete(test.path);
    this.#reportProgress();
  }

  onRunComplete(_contexts, results) {
    const counts = {
      passed: results.numPassedTests,
      failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
      skipped: results.numPendingTests + results.numTodoTests,
    };
    this.#write('', counts);
  }

  #reportProgress() {
    this.#reportedAt = Date.now();
    this.#write('.progress', { running: [...this.#running] });
  }

  /** Renamed when complete: another process waits for the file. */
  #write(suffix, content) {
    if (this.#file === undefined) return;
    const file = `${this.#file}${suffix}`;
    writeFileSync(`${file}.part`, JSON.stringify(content));
    renameSync(`${file}.part`, file);
  }
}

module.exports = CountsReporter;
