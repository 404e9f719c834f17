import { Readable } from 'node:stream';
import { z } from 'zod';
import { listSchema } from '../../../api/identity/aml/lists';
import { importList } from '../../../services/identity/aml/import';
import type { ImportReport } from '../../../services/identity/aml/import';
import type { ListSource } from '../../../services/identity/aml/formats/source';
import { call } from '../client';
import { testPlatform } from '../tenant';

/** Files of a list in memory: the first is the list, the rest lie beside it. */
export function memorySource(files: Readonly<Record<string, string>>): ListSource {
  const [name = 'list.csv'] = Object.keys(files);
  const open = (file: string): Readable => Readable.from([Buffer.from(files[file] ?? '', 'utf8')]);
  return { name, open: () => open(name), sibling: (file) => (files[file] === undefined ? null : open(file)) };
}

export interface OwnEntry {
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

export const ownCsv = (entries: readonly OwnEntry[]): string =>
  [COLUMNS.join(','), ...entries.map((entry) => COLUMNS.map((column) => `"${entry[column] ?? ''}"`).join(','))].join(
    '\n',
  );

/** Imports a list of an organisation's own, as an operator does from a file. */
export async function importOwnList(
  organisationId: string,
  entries: readonly OwnEntry[],
  code = 'own',
): Promise<ImportReport> {
  const source = memorySource({ 'own.csv': ownCsv(entries) });
  return importList(await testPlatform(), { code, organisationId, source });
}

const listsAnswer = z.object({ lists: z.array(listSchema) });

/** A list as `GET /v1/aml/lists` tells of it. */
export async function listedAs(key: string, code: string): Promise<z.infer<typeof listSchema>> {
  const answer = await call('GET', '/v1/aml/lists', { key });
  const found = listsAnswer.parse(answer.body).lists.find((list) => list.code === code);
  if (found === undefined) throw new Error(`No list ${code} among ${JSON.stringify(answer.body)}`);
  return found;
}
