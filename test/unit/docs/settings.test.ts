import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { listConfigurationVariables, renderConfigurationPage } from '../../../scripts/docs/configuration-page';
import { TOOL_CONFIGURATION } from '../../../scripts/docs/texts/configuration';

const root = path.resolve(__dirname, '..', '..', '..');
const FOLDERS = ['api', 'activities', 'domain', 'lib', 'models', 'scripts', 'services', 'workers', 'workflows'];
const READ = /\benv(?:\.|\[['"])([A-Z][A-Z0-9_]{2,})/g;
const NAMED = /\b(?:url|path): '([A-Z][A-Z0-9_]+)'/g;

/** Set by the operating system. */
const SYSTEM = new Set(['PATH']);

function listSources(): string[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(ts|mjs|cjs|js)$/.test(file) && !file.includes('node_modules'))
      // What runs the tests has variables for the tests alone.
      .filter((file) => !/^checks[/\\]/.test(file))
      .map((file) => path.join(root, folder, file)),
  );
}

/** Every variable that a source reads from the environment, with one of the sources. */
function findVariables(): Map<string, string> {
  const found = new Map<string, string>();
  for (const file of listSources()) {
    const text = readFileSync(file, 'utf8');
    const isTool = file.includes(path.join('scripts', 'toolchain'));
    for (const pattern of isTool ? [READ, NAMED] : [READ])
      for (const [, name = ''] of text.matchAll(pattern)) found.set(name, path.relative(root, file));
  }
  return found;
}

test('every setting that the code, the launcher or a command reads is in the table of settings', () => {
  const documented = new Set([...listConfigurationVariables(), ...Object.keys(TOOL_CONFIGURATION), ...SYSTEM]);
  const found = findVariables();
  expect([...found.keys()]).toEqual(expect.arrayContaining(['VOUCH_HOME', 'MONGO_URL', 'MONGOD_PATH']));
  expect([...found].filter(([name]) => !documented.has(name))).toEqual([]);
});

test('the page has the defaults of the code, also of values that are converted, and the least lengths', () => {
  const rows = renderConfigurationPage().split('\n');
  const find = (name: string): string | undefined => rows.find((row) => row.startsWith(`| \`${name}\` |`));
  expect(find('KYB_PROVIDERS')).toContain('| `companies_house,gleif,vies` |');
  expect(find('VIES_URL')).toContain('| `https://ec.europa.eu/taxation_customs/vies/rest-api` |');
  expect(find('CHROMIUM_SANDBOX')).toContain('| `true` |');
  expect(find('TEMPORAL_TLS')).toContain('| `false` |');
  expect(find('PORT')).toContain('| `3000` | 0–65535 |');
  expect(find('METRICS_TOKEN')).toContain('|  | at least 16 characters |');
  expect(find('EGRESS_ALLOW')).toContain('although they are private. |  |  |');
});

test('every setting that the compose file passes to a process of the service is in the table', () => {
  const text = readFileSync(path.join(root, 'docker-compose.yml'), 'utf8');
  const page = renderConfigurationPage();
  const passed = [...text.matchAll(/^\s+([A-Z][A-Z0-9_]+): \$\{\1/gm)].map(([, name = '']) => name);
  expect(passed.length).toBeGreaterThan(5);
  expect(passed.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
