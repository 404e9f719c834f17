import { AppError } from '../../../../domain/errors';
import { normaliseColumnName } from './csv';
import { parseEuXml } from './eu-xml';
import { parseOfacCsv } from './ofac-csv';
import { parseOfacXml } from './ofac-xml';
import { isOpenSanctionsHeader, isOwnHeader, parseOpenSanctionsCsv, parseOwnCsv } from './simple-csv';
import type { ListParser } from './source';
import { isUkHeader, parseUkCsv } from './uk-csv';
import { parseUnXml } from './un-xml';

export type ListFormat = 'ofac_csv' | 'ofac_xml' | 'un_xml' | 'eu_xml' | 'uk_csv' | 'opensanctions_csv' | 'own_csv';

export const PARSERS: Record<ListFormat, ListParser> = {
  ofac_csv: parseOfacCsv,
  ofac_xml: parseOfacXml,
  un_xml: parseUnXml,
  eu_xml: parseEuXml,
  uk_csv: parseUkCsv,
  opensanctions_csv: parseOpenSanctionsCsv,
  own_csv: parseOwnCsv,
};

const XML_ROOTS: readonly (readonly [RegExp, ListFormat])[] = [
  [/<(?:\w+:)?sdnList[\s>]/, 'ofac_xml'],
  [/<(?:\w+:)?CONSOLIDATED_LIST[\s>]/, 'un_xml'],
  [/<(?:\w+:)?export[\s>]/, 'eu_xml'],
];

const CSV_HEADERS: readonly (readonly [(columns: readonly string[]) => boolean, ListFormat])[] = [
  [isUkHeader, 'uk_csv'],
  [isOpenSanctionsHeader, 'opensanctions_csv'],
  [isOwnHeader, 'own_csv'],
];

/**
 * Detects the format of a list from its first few thousand characters.
 * @throws AppError `unknown_list_format`, with the supported formats
 */
export function detectFormat(beginning: string): ListFormat {
  const text = beginning.replace(/^\uFEFF/, '');
  const root = XML_ROOTS.find(([pattern]) => pattern.test(text));
  if (root !== undefined) return root[1];
  const lines = text.split(/\r?\n/).slice(0, 5);
  if (/^\d+,"[^"]*",/.test(lines[0] ?? '') && (lines[0] ?? '').includes('-0-')) return 'ofac_csv';
  for (const line of lines) {
    const columns = line.split(',').map((column) => normaliseColumnName(column));
    const header = CSV_HEADERS.find(([isHeader]) => isHeader(columns));
    if (header !== undefined) return header[1];
  }
  throw new AppError(
    'unknown_list_format',
    422,
    `The file has none of the supported formats: ${Object.keys(PARSERS).join(', ')}.`,
  );
}
