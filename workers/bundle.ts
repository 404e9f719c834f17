import { existsSync } from 'node:fs';
import path from 'node:path';
import { ConfigError } from '../lib/config';

/** The workflow bundle is built ahead; a process without it stops rather than bundle what it happens to find. */
export function getWorkflowBundlePath(): string {
  const file = path.join(__dirname, '..', 'workflow-bundle.js');
  if (!existsSync(file)) throw new ConfigError(`${path.basename(file)} is missing; run npm run build.`);
  return file;
}
