/** `npm run admin -- tools`: finds or downloads the external programs. */
import { parseOptions } from '../options.mjs';
import { printFailure } from '../progress.mjs';
import { resolve, tools, toolsFolder } from './tools.mjs';

const USAGE = `Usage: npm run admin -- tools [--check]

Finds or downloads the external programs (${Object.keys(tools).join(', ')}) and prints where each one is.

  --check   download nothing
  --help    print this text

Exits with code 1 if a program is not available.`;

async function main() {
  const { values } = parseOptions(USAGE, { check: { type: 'boolean', default: false } });
  if (values.help) return void console.log(USAGE);
  console.log(`cache: ${toolsFolder()}`);
  for (const name of Object.keys(tools)) {
    const startedAt = Date.now();
    try {
      const { source, executable, url } = await resolve(name, { fetchMissing: !values.check });
      const seconds = ((Date.now() - startedAt) / 1000).toFixed(1).padStart(6);
      console.log(`${name.padEnd(20)} ${source.padEnd(12)} ${seconds} s  ${executable ?? url}`);
    } catch (error) {
      console.log(`${name.padEnd(20)} missing\n${error.message}`);
      process.exitCode = 1;
    }
  }
}

await main().catch(printFailure);
