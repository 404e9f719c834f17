import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { AppError, invalidFieldError } from '../domain/errors';
import { REGISTER_KINDS } from '../domain/identity/registers/columns';
import type { RegisterKind } from '../domain/identity/registers/columns';
import { ConfigError, loadConfig } from '../lib/config';
import { createEgress } from '../lib/egress/egress';
import { ensureIndexes } from '../models';
import { downloadGoldenCopy } from '../services/identity/registers/gleif/download';
import { openGoldenCopyFile } from '../services/identity/registers/gleif/file';
import { importGoldenCopy } from '../services/identity/registers/gleif/import';
import type { GoldenCopyReport } from '../services/identity/registers/gleif/import';
import { listEditions, removeGoldenCopy } from '../services/identity/registers/gleif/editions';
import { awaitImport, submitImport } from '../services/identity/registers/imports';
import { closePlatform, createPlatform } from '../services/platform/bootstrap';
import { findOrganisationBySlug } from '../services/platform/access/organisations';
import type { Platform, Scope } from '../services/platform/platform';
import { getServiceEnvironment } from './demo/running-service';

const USAGE = `Usage: npm run registers -- <command> [options]

  import gleif <file|url>    a file of GLEIF's golden copy, as CSV or as the ZIP archive that GLEIF offers: level 1
                             (LEI-CDF), relationship records (RR-CDF) or reporting exceptions, told by its columns.
                             Given again after it was interrupted, it goes on where it stopped.
                             --accept-smaller takes a file of less than half the rows of the one in use
  import persons|companies <file> --organisation SLUG [--mode live|test]
                             an organisation's own register, as POST /v1/registers/:kind/import takes it
  status                     what is imported of the golden copy
  remove gleif               removes the golden copy: GLEIF itself is asked from then on

The answer is a report in JSON.
`;

/** An own register of millions of rows is read by the screening pool in minutes. */
const MAX_IMPORT_SECONDS = 3600;

interface Options {
  organisation?: string | undefined;
  mode?: string | undefined;
  'accept-smaller'?: boolean | undefined;
}

const isOwnKind = (kind: string): kind is RegisterKind => REGISTER_KINDS.some((each) => each === kind);

async function importFile(platform: Platform, file: string, options: Options): Promise<GoldenCopyReport> {
  return importGoldenCopy(platform, await openGoldenCopyFile(file), {
    acceptSmaller: options['accept-smaller'] === true,
    onProgress: ({ read, taken }) => {
      process.stderr.write(`\r${read} rows read, ${taken} taken `);
    },
  }).finally(() => process.stderr.write('\n'));
}

async function importUrl(platform: Platform, url: string, options: Options): Promise<GoldenCopyReport> {
  const folder = await mkdtemp(path.join(tmpdir(), 'vouch-golden-copy-'));
  const egress = createEgress({ allow: platform.config.EGRESS_ALLOW });
  try {
    return await importFile(platform, await downloadGoldenCopy(egress, url, folder), options);
  } finally {
    await egress.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Recorded and owed like one that came over HTTP: the screening pool reads it, whatever becomes of this process. */
async function importOwnRegister(
  platform: Platform,
  kind: RegisterKind,
  file: string,
  options: Options,
): Promise<object> {
  const { organisation: slug, mode = 'live' } = options;
  if (slug === undefined) throw invalidFieldError('--organisation', 'is required: the slug of whose register it is');
  if (mode !== 'live' && mode !== 'test') throw invalidFieldError('--mode', 'accepts live or test');
  const organisation = await findOrganisationBySlug(slug);
  if (organisation === null) throw invalidFieldError('--organisation', `none has the slug ${slug}`);
  const scope: Scope = { organisationId: organisation._id, mode };
  const content = await readFile(file).catch(() => null);
  if (content === null) throw invalidFieldError('file', `${file} cannot be read`);
  const submitted = await submitImport(platform, scope, 'system', { kind, file: content }, undefined);
  const { _id, status, rows, failure, problems } = await awaitImport(
    platform,
    scope,
    submitted._id,
    MAX_IMPORT_SECONDS,
  );
  return { register: _id, kind, status, rows, failure, problems };
}

function runImport(platform: Platform, [kind = '', from]: readonly string[], options: Options): Promise<object> {
  if (from === undefined) throw invalidFieldError('file', `is required\n\n${USAGE}`);
  if (isOwnKind(kind)) return importOwnRegister(platform, kind, path.resolve(from), options);
  if (kind !== 'gleif') throw invalidFieldError('register', `accepts gleif, ${REGISTER_KINDS.join(', ')}`);
  if (/^https?:\/\//.test(from)) return importUrl(platform, from, options);
  return importFile(platform, path.resolve(from), options);
}

async function runCommand(
  platform: Platform,
  [command = '', ...rest]: readonly string[],
  options: Options,
): Promise<object | null> {
  switch (command) {
    case 'import':
      return runImport(platform, rest, options);
    case 'status':
      return listEditions();
    case 'remove':
      if (rest[0] !== 'gleif') throw invalidFieldError('register', 'accepts gleif; an own register goes by DELETE');
      return { removed: await removeGoldenCopy() };
    default:
      throw new AppError('unknown_command', 400, `${command} is not a command.\n\n${USAGE}`);
  }
}

async function main(): Promise<void> {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { help: flag, organisation: text, mode: text, 'accept-smaller': flag },
  });
  if (values.help === true || positionals.length === 0) {
    process.stdout.write(USAGE);
    return;
  }
  const platform = await createPlatform(
    { ...loadConfig(getServiceEnvironment()), LOG_LEVEL: 'warn' },
    { name: 'registers', watch: false },
  );
  try {
    await ensureIndexes();
    process.stdout.write(`${JSON.stringify(await runCommand(platform, positionals, values), null, 2)}\n`);
  } finally {
    await closePlatform(platform);
  }
}

main().catch((error: unknown) => {
  const expected = error instanceof AppError || error instanceof ConfigError;
  process.stderr.write(`${expected ? error.message : String(error instanceof Error ? error.stack : error)}\n`);
  process.exitCode = 1;
});
