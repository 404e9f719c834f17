const { renameSync, writeFileSync } = require('node:fs');

/**
 * Writes the counts of a run as JSON to the file named by `VOUCH_TEST_COUNTS`. jest's own `--json` fails when the error
 * of a test refers to itself, as errors of MongoDB do.
 */
class CountsReporter {
  onRunComplete(_contexts, results) {
    const file = process.env.VOUCH_TEST_COUNTS;
    if (file === undefined) return;
    const counts = {
      passed: results.numPassedTests,
      failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
      skipped: results.numPendingTests + results.numTodoTests,
    };
    // Renamed when complete: another process waits for the file.
    writeFileSync(`${file}.part`, JSON.stringify(counts));
    renameSync(`${file}.part`, file);
  }
}

module.exports = CountsReporter;
