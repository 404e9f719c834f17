import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { installPythonWithRules } from './published-rules';

const SCHEMA = path.join(__dirname, 'saf-t-2.00.xsd');

/** Reads a file from its input and writes what the schema finds, one error a line. */
const SCRIPT = `
import sys
from lxml import etree
schema = etree.XMLSchema(file=sys.argv[1])
if not schema.validate(etree.fromstring(sys.stdin.buffer.read())):
    print("\\n".join(str(error) for error in schema.error_log))
`;

/**
 * Opens the schema of the Standard Audit File for Tax.
 *
 * @returns a function that lists what is wrong with a file; null if python3 or pip is missing
 */
export function openSaftSchema(): ((xml: string | Buffer) => string[]) | null {
  const python = installPythonWithRules();
  if (python === null) return null;
  return (xml) => {
    const run = spawnSync(python, ['-c', SCRIPT, SCHEMA], {
      input: xml,
      encoding: 'utf8',
      maxBuffer: 16 * 1024 * 1024,
    });
    if (run.status !== 0) throw new Error(`The schema could not be evaluated: ${run.stderr}`);
    return run.stdout.split('\n').filter((line) => line !== '');
  };
}
