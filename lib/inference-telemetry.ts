/** The published builds of ONNX Runtime report machine, process and networks to their maker, unless this is `1`. */
const VARIABLE = 'ORT_DISABLE_TELEMETRY';

/**
 * Turns off what ONNX Runtime would report. It reads the environment of the process, not that of a thread, when it is
 * loaded: call this in the main thread before a thread loads networks.
 */
export function disableTelemetry(): void {
  process.env[VARIABLE] = '1';
}

/** @throws Error if ONNX Runtime would report what it does */
export function requireDisabledTelemetry(): void {
  if (process.env[VARIABLE] !== '1') throw new Error(`${VARIABLE} must be 1 before networks are loaded.`);
}
