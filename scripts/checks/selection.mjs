import { readdirSync } from 'node:fs';
import path from 'node:path';
import { LauncherError } from '../progress.mjs';
import { parseOptions } from '../options.mjs';
import { root } from '../stack/home.mjs';
import { APIS } from './fuzz.mjs';
import { FOLDERS } from './jest.mjs';
import { CHECK_NAMES } from './static.mjs';

/** Examples per operation: a run of all suites tests every operation in about a minute, the suite alone tests more. */
const FUZZ_EXAMPLES = { all: 5, alone: 100 };

/** The suite `faults` is this test file with every fault, each for longer. */
const FAULTS_PATTERN = 'test/chaos/faults';

/** The suite `year` is this test file with more documents. */
const YEAR = { pattern: 'test/chaos/business-year', documents: '10000' };

export const USAGE = `Usage: npm test [-- [options] [suite or path…]]

Runs everything that continuous integration runs, or the given suites and test files.

Suites
  static         types, lint, import directions, unused code, format, generated files
  unit           tests of single modules
  components     tests of one component with its engine: vision models, Chromium, published schemas
  workflows      tests of workflows on a time-skipping Temporal server
  replay         replay of recorded workflow histories
  api, e2e       tests against a running stack
  web            tests of the web applications in Chromium, against a running stack
  chaos          tests that kill processes
  faults         every fault of the chaos suite, as \`npm run chaos\`
  fuzz           generated requests to every operation of both APIs
  year           a generated year of business with 10,000 documents, checked against the service's figures
  <path>         test files whose path contains this text, such as test/api/webhooks

Suites that need a stack use the one that \`npm test -- --keep-stack\` or \`npm run dev\` started, if one is running; a run
of everything always starts its own.

  --keep-stack          keep the test stack running for later runs; stop it with npm run stop
  --fresh-stack         start a new stack even if one is running
  --only NAME,…         static: run only ${CHECK_NAMES.join(', ')}
  --api NAME            fuzz: ${APIS.join(' or ')} (default: both)
  --examples N          fuzz: examples per operation (default: ${FUZZ_EXAMPLES.alone}; ${FUZZ_EXAMPLES.all} in a run of everything)
  --seed N              fuzz, year: seed of the generator
  --documents N         year: how many documents to generate
  --faults NAME,…       faults: only those whose name contains one of these, such as kill,full disk
  --help                print this text
  -- …                  fuzz: further arguments for Schemathesis`;

const NUMBER = /^\d+$/;

/**
 * @param {string[]} argv
 * @returns the suites, test folders, patterns and options that the arguments select; no suite or path selects everything
 */
export function parseSelection(argv) {
  const end = argv.indexOf('--');
  const { values, positionals } = parseOptions(
    USAGE,
    {
      'keep-stack': { type: 'boolean' },
      'fresh-stack': { type: 'boolean' },
      only: { type: 'string' },
      api: { type: 'string' },
      examples: { type: 'string' },
      seed: { type: 'string' },
      documents: { type: 'string' },
      faults: { type: 'string' },
    },
    { args: end < 0 ? argv : argv.slice(0, end), allowPositionals: true },
  );
  for (const name of ['examples', 'seed', 'documents']) {
    if (values[name] !== undefined && !NUMBER.test(values[name]))
      throw new LauncherError(`--${name} accepts a number, not ${values[name]}`);
  }
  if (values.api !== undefined && !APIS.includes(values.api))
    throw new LauncherError(`--api accepts ${APIS.join(' or ')}, not ${values.api}`);
  const all = positionals.length === 0;
  return {
    all,
    help: values.help,
    keepStack: values['keep-stack'],
    freshStack: values['fresh-stack'],
    staticChecks: all || positionals.includes('static') ? (values.only?.split(',') ?? CHECK_NAMES) : [],
    fuzz: all || positionals.includes('fuzz') ? parseFuzz(values, all, end < 0 ? [] : argv.slice(end + 1)) : null,
    environment: {
      ...(positionals.includes('year') ? parseYear(values) : {}),
      ...(positionals.includes('faults') ? { VOUCH_CHAOS: values.faults ?? '' } : {}),
    },
    ...selectTests(positionals),
  };
}

const parseFuzz = ({ api, examples, seed }, all, schemathesis) => ({
  apis: api === undefined ? APIS : [api],
  examples: Number(examples ?? (all ? FUZZ_EXAMPLES.all : FUZZ_EXAMPLES.alone)),
  seed: Number(seed ?? 1),
  schemathesis,
});

function parseYear({ documents, seed }) {
  return {
    VOUCH_YEAR_DOCUMENTS: documents ?? process.env.VOUCH_YEAR_DOCUMENTS ?? YEAR.documents,
    ...(seed === undefined ? {} : { VOUCH_YEAR_SEED: seed }),
  };
}

const listTestFiles = () =>
  readdirSync(path.join(root, 'test'), { recursive: true })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => path.join(root, 'test', file));

/** Whether a path contains the pattern, as jest compares them. */
const matches = (pattern, file) => new RegExp(pattern.replace(/^\.\//, ''), 'i').test(file);

/**
 * The patterns for jest, which apply to all folders: a suite in which they select nothing is selected as a whole.
 * @throws {LauncherError} for a misspelled path, which must not look like tests that passed
 */
function completePatterns(patterns, suites) {
  if (patterns.length === 0) return [];
  const files = listTestFiles();
  const unknown = patterns.find((pattern) => !files.some((file) => matches(pattern, file)));
  if (unknown !== undefined)
    throw new LauncherError(`${unknown} is no suite, and no test file has it in its path; --help lists the suites`);
  const inSuite = (folder) => files.filter((file) => file.startsWith(path.join(root, 'test', folder, path.sep)));
  const whole = suites.filter(
    (folder) => !inSuite(folder).some((file) => patterns.some((pattern) => matches(pattern, file))),
  );
  return [...patterns, ...whole.map((folder) => `test/${folder}/`)];
}

/** The folders of test/ and the path patterns that the arguments select. */
function selectTests(positionals) {
  if (positionals.length === 0) return { folders: FOLDERS, patterns: [] };
  const patterns = positionals
    .filter((each) => !['static', 'fuzz'].includes(each) && !FOLDERS.includes(each))
    .map((each) => ({ year: YEAR.pattern, faults: FAULTS_PATTERN })[each] ?? each);
  const suites = FOLDERS.filter((folder) => positionals.includes(folder));
  const folders = new Set(suites);
  for (const pattern of patterns) {
    const matching = FOLDERS.filter((folder) => pattern.replace(/^\.\//, '').startsWith(`test/${folder}`));
    for (const folder of matching.length > 0 ? matching : FOLDERS) folders.add(folder);
  }
  return { folders: FOLDERS.filter((folder) => folders.has(folder)), patterns: completePatterns(patterns, suites) };
}
