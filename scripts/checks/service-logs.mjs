import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';

/** Roles whose output is collected by machines; the engines print in their own formats. */
const SERVICE_LOG = /^(api|worker).*\.log$/;
const MAX_REPORTED = 20;

/** Whether a line is a JSON object with the fields of every log line. */
function isLogLine(line) {
  try {
    const { level, time, msg } = JSON.parse(line);
    return typeof level === 'number' && typeof time === 'number' && typeof msg === 'string';
  } catch {
    return false;
  }
}

/**
 * Reads everything that API and workers of a stack have printed.
 * @param {string} folder the logs of the stack
 * @returns {Promise<{lines: number, plain: string[]}>} the number of lines, and the first ones that are not JSON log lines
 */
export async function readServiceLogs(folder) {
  let lines = 0;
  const plain = [];
  for (const file of (await readdir(folder)).filter((name) => SERVICE_LOG.test(name))) {
    for await (const line of createInterface({ input: createReadStream(path.join(folder, file)) })) {
      lines += 1;
      if (!isLogLine(line) && plain.length < MAX_REPORTED) plain.push(`${file}: ${line.slice(0, 300)}`);
    }
  }
  return { lines, plain };
}
