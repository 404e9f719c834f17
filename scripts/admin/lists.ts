import { createReadStream, existsSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { invalidFieldError } from '../../domain/errors';
import { buildListId, PUBLISHED_LISTS } from '../../services/identity/aml/catalogue';
import type { ListSource } from '../../services/identity/aml/formats/source';
import { importList } from '../../services/identity/aml/import';
import { importFromUrl, refreshLists } from '../../services/identity/aml/refresh';
import { confirmHeldVersion, rejectHeldVersion } from '../../services/identity/aml/versions';
import type { Platform } from '../../services/platform/platform';
import { findOrganisationId, isUrl, printReport, withEgress, withPlatform } from './platform';

interface ImportOptions {
  list?: string;
  organisation?: string;
  title?: string;
}

/** File names of publishers, with the code of the list. */
const FILE_NAMES: readonly (readonly [RegExp, string])[] = [
  [/^sdn\b/i, 'ofac_sdn'],
  [/^(?:cons_prim|cons_advanced)/i, 'ofac_consolidated'],
  [/^uk[-_ ]?sanctions|^conlist/i, 'uk'],
  [/fullsanctionslist/i, 'eu'],
  [/^targets\.simple/i, 'opensanctions'],
  [/^consolidated/i, 'un'],
];

/**
 * Adds `lists` with its subcommands, which import, subscribe to and refresh watch lists and decide on held versions.
 */
export function addListCommands(program: Command): void {
  const lists = program.command('lists').description('import watch lists for AML screening');
  lists
    .command('import')
    .description('import a list from a file, or from an address, which is then fetched again when it is due')
    .argument('<source>', "file or URL; for OFAC's CSV files, the other files of the set are read from the same folder")
    .option('--list <code>', 'code of the list (default: derived from the file name, such as ofac_sdn from sdn.csv)')
    .option('--organisation <slug>', 'import as a list of this organisation alone')
    .option('--title <title>', 'title of the list')
    .action((source: string, options: ImportOptions) => run((platform) => importSource(platform, source, options)));
  lists
    .command('subscribe')
    .description(`import a published list from its publisher: ${Object.keys(PUBLISHED_LISTS).join(', ')}`)
    .argument('<code>', 'code of the list')
    .action((code: string) => run((platform) => subscribe(platform, code)));
  lists
    .command('refresh')
    .description('fetch every list that is due')
    .action(() =>
      run((platform) => withEgress(platform, async (egress) => ({ renewed: await refreshLists(platform, egress) }))),
    );
  for (const [command, decide, description] of [
    ['confirm', confirmHeldVersion, 'use a version that was held because the list had shrunk'],
    ['reject', rejectHeldVersion, 'discard a version that was held'],
  ] as const) {
    lists
      .command(command)
      .description(description)
      .argument('<code>', 'code of the list')
      .option('--organisation <slug>', 'slug of the organisation that owns the list')
      .action((code: string, { organisation }: ImportOptions) =>
        run(async (platform) => ({
          version: await decide(platform, buildListId(code, await findOwnerId(organisation))),
          decided: command,
        })),
      );
  }
}

async function run(command: (platform: Platform) => Promise<object | null>): Promise<void> {
  printReport(await withPlatform(command));
}

const findOwnerId = async (slug: string | undefined): Promise<string | null> =>
  slug === undefined ? null : findOrganisationId(slug);

async function importSource(platform: Platform, source: string, options: ImportOptions): Promise<object | null> {
  if (isUrl(source)) {
    const code = resolveListCode(new URL(source).pathname.split('/').at(-1) ?? '', options);
    return importUrl(platform, code, source, options);
  }
  const fileSource = createFileSource(path.resolve(source));
  const code = resolveListCode(fileSource.name, options);
  const organisationId = await findOwnerId(options.organisation);
  return importList(platform, { code, organisationId, source: fileSource, title: options.title });
}

async function importUrl(
  platform: Platform,
  code: string,
  url: string,
  options: ImportOptions,
): Promise<object | null> {
  const organisationId = await findOwnerId(options.organisation);
  return withEgress(platform, (egress) =>
    importFromUrl(platform, egress, { code, organisationId, url, title: options.title }),
  );
}

async function subscribe(platform: Platform, code: string): Promise<object | null> {
  const url = PUBLISHED_LISTS[code]?.url ?? null;
  if (url === null) throw invalidFieldError('code', `${code} has no known address; use import with a URL`);
  return importUrl(platform, code, url, {});
}

function resolveListCode(name: string, options: ImportOptions): string {
  if (options.list !== undefined) return options.list;
  const published = FILE_NAMES.find(([pattern]) => pattern.test(name));
  if (published === undefined) throw invalidFieldError('--list', `is required: ${name} is not a known file name`);
  return published[1];
}

function createFileSource(file: string): ListSource {
  if (!existsSync(file) || !statSync(file).isFile()) throw invalidFieldError('file', `${file} is not a file`);
  return {
    name: path.basename(file),
    open: () => createReadStream(file),
    sibling(name) {
      const siblingFile = path.join(path.dirname(file), name);
      return existsSync(siblingFile) ? createReadStream(siblingFile) : null;
    },
  };
}
