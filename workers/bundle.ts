import { existsSync } from 'node:fs';
import path from 'node:path';
import { ConfigError } from '../lib/config';

/** Path of the prebuilt workflow bundle. Without it the process stops; it never bundles at run time. */
export function getWorkflowBundlePath(): string {
  const file = path.join(__dirname, '..', 'workflow-bundle.js');
  if (!existsSync(file)) throw new ConfigError(`${path.basename(file)} is missing; run npm run build.`);
  return file;
}
