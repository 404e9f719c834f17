import { existsSync } from 'node:fs';
import path from 'node:path';
import chromium from '@sparticuz/chromium';

const CACHED_PATH = 'chromium-147.0.0/chromium';

/** The browser of CHROMIUM_PATH, else the one installed by the toolchain, else the one in the npm package. */
export async function findChromium(): Promise<string> {
  const configured = process.env['CHROMIUM_PATH'];
  if (configured !== undefined && configured !== '') return configured;
  const cached = path.resolve(process.env['VOUCH_TOOLS_DIR'] ?? '.vouch/tools', CACHED_PATH);
  return existsSync(cached) ? cached : chromium.executablePath();
}
