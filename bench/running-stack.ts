import { readFileSync } from 'node:fs';
import path from 'node:path';

/** What a benchmark needs of the running stack; `npm start` writes it to run.json. */
export interface RunningStack {
  api: string;
  temporal: string;
  identityApiKey: string;
  admin: { email: string; password: string };
}

/** @throws Error when no stack is running. */
export function runningStack(): RunningStack {
  const file = process.env['VOUCH_RUN'] ?? path.join(process.env['VOUCH_HOME'] ?? '.vouch', 'run.json');
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as RunningStack;
  } catch {
    throw new Error('This benchmark needs the running service: npm start first.');
  }
}
