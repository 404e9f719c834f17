/** `npm run admin -- models`: downloads or verifies the model weights. */
import { parseOptions } from '../options.mjs';
import { LauncherError, printFailure } from '../progress.mjs';
import { ensureModels } from './models.mjs';
import { modelsFolder } from './tools.mjs';

const USAGE = `Usage: npm run admin -- models fetch|check

  fetch    verify the model weights by SHA-256 and download those that are missing or altered
  check    verify the model weights, download nothing; exit with code 1 if one is missing or altered
  --help   print this text

The weights are in .vouch/models, or in the folder that MODELS_DIR names. VOUCH_MODELS_DIR names a prepared folder, into
which nothing is downloaded.`;

async function main() {
  const { values, positionals } = parseOptions(USAGE, {}, { allowPositionals: true });
  const [command] = positionals;
  if (values.help || command === undefined) return void console.log(USAGE);
  if (command !== 'fetch' && command !== 'check')
    throw new LauncherError(`models accepts fetch or check, not ${command}`);
  const { dir, fetched } = await ensureModels({ dir: modelsFolder(), log: console.log, offline: command === 'check' });
  console.log(fetched.length === 0 ? `models: all present in ${dir}` : `models: ready in ${dir}`);
}

await main().catch(printFailure);
