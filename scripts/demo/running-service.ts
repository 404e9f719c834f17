import { readFileSync } from 'node:fs';
import path from 'node:path';

/** What the launcher wrote about the running service. */
export interface RunningService {
  api: string;
  docs: string;
  temporal: string;
  temporalUi?: string;
  identityApiKey: string;
  admin: { email: string; password: string };
  demoReceiverPort: number;
  /** By role: launcher, api, worker, mongod, temporal, s3; null while one is being started again. */
  pids?: Record<string, number | null>;
  /** The variables that its processes run with. */
  environment?: Record<string, string>;
}

/** run.json of the running service: VOUCH_RUN, else in VOUCH_HOME, else in `.vouch`. */
export const getRunFile = (): string =>
  process.env['VOUCH_RUN'] ?? path.join(process.env['VOUCH_HOME'] ?? '.vouch', 'run.json');

/** @throws Error when no service is running. */
export function readRunningService(): RunningService {
  try {
    return JSON.parse(readFileSync(getRunFile(), 'utf8')) as RunningService;
  } catch {
    throw new Error('The service is not running: npm start first.');
  }
}

/** The browser that draws the specimen: CHROMIUM_PATH, else the one that the running service prints PDFs with. */
export function findChromiumPath(): string {
  const chosen = process.env['CHROMIUM_PATH'] ?? readRunningService().environment?.['CHROMIUM_PATH'];
  if (chosen === undefined) throw new Error('CHROMIUM_PATH: names the browser that draws the specimen.');
  return chosen;
}

/** The variables to reach the engines with: those given by hand, else those of the running service. */
export function getServiceEnvironment(): NodeJS.ProcessEnv {
  if (process.env['MONGO_URL'] !== undefined) return process.env;
  return { ...readRunningService().environment, ...process.env };
}
