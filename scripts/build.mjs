/** `npm run build`: compiles the sources to dist/ and bundles the web applications; options write the files that are generated from them. */
import { parseOptions } from './options.mjs';
import { printFailure } from './progress.mjs';
import { root } from './stack/home.mjs';
import { run } from './toolchain/command.mjs';
import { build } from './build/compile.mjs';

const USAGE = `Usage: npm run build [-- options]

Checks the types of the sources, compiles them to dist/, copies assets, and bundles the workflows and the web
applications. Unchanged sources are not compiled again.

  --openapi    also write openapi/*.json, the generated part of clients/typescript, docs/reference,
               test/COVERAGE.md and deploy/mongo/roles.json
  --lockfile   also check package-lock.json: every platform, every checksum, every install script
  --sbom       also write dist/sbom.cdx.json, a bill of materials (CycloneDX) of packages, models and tools
  --help       print this text

\`npm test -- static\` checks that the generated files are up to date.`;

const GENERATORS = {
  openapi: [
    'dist/scripts/build/openapi.js',
    'scripts/build/client.mjs',
    'dist/scripts/docs/reference.js',
    'dist/scripts/build/mongo-roles.js',
  ],
  lockfile: ['scripts/build/lockfile.mjs'],
  sbom: ['scripts/build/sbom.mjs'],
};

async function main() {
  const generators = Object.fromEntries(Object.keys(GENERATORS).map((name) => [name, { type: 'boolean' }]));
  const { values } = parseOptions(USAGE, generators);
  if (values.help) return void console.log(USAGE);
  // Types are checked after the client was written: an earlier one that does not compile can then be replaced.
  await build({ types: values.openapi !== true });
  for (const [name, scripts] of Object.entries(GENERATORS)) {
    if (!values[name]) continue;
    for (const script of scripts) {
      const { stdout } = await run(process.execPath, [script], { cwd: root, tailLines: 40 });
      if (stdout !== '') process.stdout.write(stdout);
    }
  }
  if (values.openapi === true) await build({ types: true });
}

await main().catch(printFailure);
