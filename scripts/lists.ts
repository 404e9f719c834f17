import { createReadStream, existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { AppError, invalidFieldError } from '../domain/errors';
import { ConfigError, loadConfig } from '../lib/config';
import { createEgress } from '../lib/egress/egress';
import { ensureIndexes } from '../models';
import { buildListId, PUBLISHED_LISTS } from '../services/identity/aml/catalogue';
import type { ListSource } from '../services/identity/aml/formats/source';
import { importList } from '../services/identity/aml/import';
import { importFromUrl, refreshLists } from '../services/identity/aml/refresh';
import { confirmHeldVersion, rejectHeldVersion } from '../services/identity/aml/versions';
import { closePlatform, createPlatform } from '../services/platform/bootstrap';
import { findOrganisationBySlug } from '../services/platform/access/organisations';
import type { Platform } from '../services/platform/platform';
import { getServiceEnvironment } from './demo/running-service';

const USAGE = `Usage: npm run lists -- <command> [options]

  import <file|url>  [--list CODE] [--organisation SLUG --list CODE] [--title TITLE]
                     reads a list; a file of OFAC's CSV set takes the files beside it along.
                     From an address the list is fetched again and again from then on.
  subscribe <code>   imports a published list from its publisher: ${Object.keys(PUBLISHED_LISTS).join(', ')}
  refresh            fetches every list that is due
  confirm <code>     [--organisation SLUG]  lets a version into use that was held because the list had shrunk
  reject <code>      [--organisation SLUG]  throws a held version away

Without --list the code is told by the file: sdn → ofac_sdn, cons → ofac_consolidated, consolidated → un and so on.
The answer is a report in JSON.
`;

interface Options {
  list?: string | undefined;
  organisation?: string | undefined;
  title?: string | undefined;
}

/** Published lists by what their publishers call the files. */
const FILE_NAMES: readonly (readonly [RegExp, string])[] = [
  [/^sdn\b/i, 'ofac_sdn'],
  [/^(?:cons_prim|cons_advanced)/i, 'ofac_consolidated'],
  [/^uk[-_ ]?sanctions|^conlist/i, 'uk'],
  [/fullsanctionslist/i, 'eu'],
  [/^targets\.simple/i, 'opensanctions'],
  [/^consolidated/i, 'un'],
];

function resolveListCode(name: string, options: Options): string {
  if (options.list !== undefined) return options.list;
  const publishedFile = FILE_NAMES.find(([pattern]) => pattern.test(name));
  if (publishedFile === undefined)
    throw invalidFieldError('--list', `is required: ${name} does not tell which list it is`);
  return publishedFile[1];
}

function createFileSource(file: string): ListSource {
  if (!existsSync(file) || !statSync(file).isFile()) throw invalidFieldError('file', `${file} is no file`);
  return {
    name: path.basename(file),
    open: () => createReadStream(file),
    sibling(name) {
      const siblingFile = path.join(path.dirname(file), name);
      return existsSync(siblingFile) ? createReadStream(siblingFile) : null;
    },
  };
}

async function findOrganisationId(options: Options): Promise<string | null> {
  if (options.organisation === undefined) return null;
  const organisation = await findOrganisationBySlug(options.organisation);
  if (organisation === null) throw invalidFieldError('--organisation', `none has the slug ${options.organisation}`);
  return organisation._id;
}

async function importListFromUrl(
  platform: Platform,
  code: string,
  url: string,
  options: Options,
): Promise<object | null> {
  const egress = createEgress({ allow: platform.config.EGRESS_ALLOW });
  try {
    const organisationId = await findOrganisationId(options);
    return await importFromUrl(platform, egress, { code, organisationId, url, title: options.title });
  } finally {
    await egress.close();
  }
}

async function runImport(platform: Platform, from: string, options: Options): Promise<object | null> {
  if (/^https?:\/\//.test(from)) {
    return importListFromUrl(
      platform,
      resolveListCode(new URL(from).pathname.split('/').at(-1) ?? '', options),
      from,
      options,
    );
  }
  const source = createFileSource(path.resolve(from));
  const code = resolveListCode(source.name, options);
  return importList(platform, {
    code,
    organisationId: await findOrganisationId(options),
    source,
    title: options.title,
  });
}

async function runCommand(
  platform: Platform,
  command: string,
  subject: string,
  options: Options,
): Promise<object | null> {
  switch (command) {
    case 'import':
      return runImport(platform, subject, options);
    case 'subscribe': {
      const url = PUBLISHED_LISTS[subject]?.url ?? null;
      if (url === null) throw invalidFieldError('code', `${subject} has no address of its own; use import with one`);
      return importListFromUrl(platform, subject, url, options);
    }
    case 'refresh': {
      const egress = createEgress({ allow: platform.config.EGRESS_ALLOW });
      return { renewed: await refreshLists(platform, egress).finally(() => egress.close()) };
    }
    case 'confirm':
    case 'reject': {
      const decide = command === 'confirm' ? confirmHeldVersion : rejectHeldVersion;
      return {
        version: await decide(platform, buildListId(subject, await findOrganisationId(options))),
        decided: command,
      };
    }
    default:
      throw new AppError('unknown_command', 400, `${command} is not a command.\n\n${USAGE}`);
  }
}

async function main(): Promise<void> {
  const text = { type: 'string' } as const;
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { help: { type: 'boolean' }, list: text, organisation: text, title: text },
  });
  const [command, subject = ''] = positionals;
  if (values.help === true || command === undefined || (subject === '' && command !== 'refresh')) {
    process.stdout.write(USAGE);
    return;
  }
  const platform = await createPlatform(
    { ...loadConfig(getServiceEnvironment()), LOG_LEVEL: 'warn' },
    { name: 'lists', watch: false },
  );
  try {
    await ensureIndexes();
    process.stdout.write(`${JSON.stringify(await runCommand(platform, command, subject, values), null, 2)}\n`);
  } finally {
    await closePlatform(platform);
  }
}

main().catch((error: unknown) => {
  const expected = error instanceof AppError || error instanceof ConfigError;
  process.stderr.write(`${expected ? error.message : String(error instanceof Error ? error.stack : error)}\n`);
  process.exitCode = 1;
});
