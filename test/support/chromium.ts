import { existsSync } from 'node:fs';
import path from 'node:path';
import chromium from '@sparticuz/chromium';

const CACHED = 'chromium-147.0.0/chromium';

/** The browser an operator named, the one the toolchain keeps, or the one inside the registry package. */
export async function chromiumPath(): Promise<string> {
  const chosen = process.env['CHROMIUM_PATH'];
  if (chosen !== undefined && chosen !== '') return chosen;
  const kept = path.resolve(process.env['VOUCH_TOOLS_DIR'] ?? '.vouch/tools', CACHED);
  return existsSync(kept) ? kept : chromium.executablePath();
}
