import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Argument, Option } from 'commander';
import type { Command } from 'commander';
import { invalidFieldError } from '../../domain/errors';
import { REGISTER_KINDS } from '../../domain/identity/registers/columns';
import type { RegisterKind } from '../../domain/identity/registers/columns';
import { downloadGoldenCopy } from '../../services/identity/registers/gleif/download';
import { listEditions, removeGoldenCopy } from '../../services/identity/registers/gleif/editions';
import { openGoldenCopyFile } from '../../services/identity/registers/gleif/file';
import { importGoldenCopy } from '../../services/identity/registers/gleif/import';
import type { GoldenCopyReport } from '../../services/identity/registers/gleif/import';
import { awaitImport, submitImport } from '../../services/identity/registers/imports';
import type { Platform, Scope } from '../../services/platform/platform';
import { findOrganisationId, isUrl, printReport, withEgress, withPlatform } from './platform';

/** The screening pool needs minutes for a register of millions of rows. */
const MAX_IMPORT_SECONDS = 3600;

interface ImportOptions {
  organisation?: string;
  mode: 'live' | 'test';
  acceptSmaller?: true;
}

/** Adds `registers` with `import`, `status` and `remove`. */
export function addRegisterCommands(program: Command): void {
  const registers = program.command('registers').description('import the GLEIF golden copy and own registers');
  registers
    .command('import')
    .description(
      "import a file of GLEIF's golden copy (level 1, relationship records or reporting exceptions, as CSV or ZIP), or " +
        "an organisation's own register as CSV. An interrupted import of the golden copy continues where it stopped.",
    )
    .addArgument(new Argument('<register>', 'kind of register').choices(['gleif', ...REGISTER_KINDS]))
    .argument('<file>', 'file; for gleif also a URL')
    .option('--accept-smaller', 'gleif: accept a file with less than half the rows of the current one')
    .option('--organisation <slug>', 'own registers: slug of the organisation')
    .addOption(new Option('--mode <mode>', 'own registers: mode').choices(['live', 'test']).default('live'))
    .action((kind: RegisterKind | 'gleif', file: string, options: ImportOptions) =>
      run((platform) => importRegister(platform, kind, file, options)),
    );
  registers
    .command('status')
    .description('list the imported files of the golden copy')
    .action(() => run(() => listEditions()));
  registers
    .command('remove')
    .description('remove the golden copy; the GLEIF API is used from then on')
    .addArgument(
      new Argument('<register>', 'kind of register; own registers are removed by the API').choices(['gleif']),
    )
    .action(() => run(async () => ({ removed: await removeGoldenCopy() })));
}

async function run(command: (platform: Platform) => Promise<object | null>): Promise<void> {
  printReport(await withPlatform(command));
}

function importRegister(
  platform: Platform,
  kind: RegisterKind | 'gleif',
  file: string,
  options: ImportOptions,
): Promise<object> {
  if (kind !== 'gleif') return importOwnRegister(platform, kind, path.resolve(file), options);
  if (isUrl(file)) return importGoldenCopyUrl(platform, file, options);
  return importGoldenCopyFile(platform, path.resolve(file), options);
}

async function importGoldenCopyFile(
  platform: Platform,
  file: string,
  options: ImportOptions,
): Promise<GoldenCopyReport> {
  return importGoldenCopy(platform, await openGoldenCopyFile(file), {
    acceptSmaller: options.acceptSmaller === true,
    onProgress: ({ read, taken }) => {
      process.stderr.write(`\r${read} rows read, ${taken} imported `);
    },
  }).finally(() => process.stderr.write('\n'));
}

async function importGoldenCopyUrl(platform: Platform, url: string, options: ImportOptions): Promise<GoldenCopyReport> {
  const folder = await mkdtemp(path.join(tmpdir(), 'vouch-golden-copy-'));
  try {
    const file = await withEgress(platform, (egress) => downloadGoldenCopy(egress, url, folder));
    return await importGoldenCopyFile(platform, file, options);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Submits the file as the API does; the screening pool imports it even if this process ends. */
async function importOwnRegister(
  platform: Platform,
  kind: RegisterKind,
  file: string,
  options: ImportOptions,
): Promise<object> {
  if (options.organisation === undefined)
    throw invalidFieldError('--organisation', 'is required: the slug of the organisation that owns the register');
  const scope: Scope = { organisationId: await findOrganisationId(options.organisation), mode: options.mode };
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
