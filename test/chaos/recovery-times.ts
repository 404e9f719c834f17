/**
 * Prints how long the service took to recover from each fault, in seconds. Figures depend on the machine; no test fails
 * on them. The runner shows only the standard error of tests.
 */
export function printRecoveryTimes(times: readonly (readonly [fault: string, milliseconds: number])[]): void {
  for (const [fault, milliseconds] of times)
    process.stderr.write(`${fault.padEnd(60)} ${(milliseconds / 1000).toFixed(1).padStart(6)} s\n`);
}
