import { Readable } from 'node:stream';
import { z } from 'zod';
import { amlListSchema } from '../../../api/identity/aml/lists';
import { importList } from '../../../services/identity/aml/import';
import type { ImportReport } from '../../../services/identity/aml/import';
import type { ListSource } from '../../../services/identity/aml/formats/source';
import { call } from '../client';
import { getTestPlatform } from '../tenant';

/** Files of a list in memory: the list itself, then its companion files. */
export function createMemorySource(files: Readonly<Record<string, string>>): ListSource {
  const [name = 'list.csv'] = Object.keys(files);
  const open = (file: string): Readable => Readable.from([Buffer.from(files[file] ?? '', 'utf8')]);
  return { name, open: () => open(name), sibling: (file) => (files[file] === undefined ? null : open(file)) };
}

export interface OwnListEntry {
  id: string;
  type?: string;
  name: string;
  aliases?: string;
  weakAliases?: string;
  datesOfBirth?: string;
  countries?: string;
  gender?: string;
  identifiers?: string;
}

const COLUMNS = [
  'id',
  'type',
  'name',
  'aliases',
  'weakAliases',
  'datesOfBirth',
  'countries',
  'gender',
  'identifiers',
] as const;

/** A list in the format of own lists; values must not contain quotation marks. */
export const buildOwnListCsv = (entries: readonly OwnListEntry[]): string =>
  [COLUMNS.join(','), ...entries.map((entry) => COLUMNS.map((column) => `"${entry[column] ?? ''}"`).join(','))].join(
    '\n',
  );

/** Imports a list of an organisation, or of the installation (null), as an operator does from a file. */
export async function importOwnList(
  organisationId: string | null,
  entries: readonly OwnListEntry[],
  code = 'own',
): Promise<ImportReport> {
  const source = createMemorySource({ 'own.csv': buildOwnListCsv(entries) });
  return importList(await getTestPlatform(), { code, organisationId, source });
}

const listsSchema = z.object({ lists: z.array(amlListSchema) });

/** A list as returned by `GET /v1/aml/lists`. */
export async function findListByCode(key: string, code: string): Promise<z.infer<typeof amlListSchema>> {
  const response = await call('GET', '/v1/aml/lists', { key });
  const found = listsSchema.parse(response.body).lists.find((list) => list.code === code);
  if (found === undefined) throw new Error(`No list ${code} among ${JSON.stringify(response.body)}`);
  return found;
}
