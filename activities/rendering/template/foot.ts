import type { Formats } from '../../../domain/business/documents/formats';
import type { DocumentLabels } from '../../../domain/business/documents/labels';
import type { PrintableDocument } from '../../../domain/business/documents/printable-document';

const SEPARATOR = '  ·  ';

const join = (parts: readonly (string | null | undefined)[]): string =>
  parts.filter((part) => part != null && part !== '').join(SEPARATOR);

/**
 * The lines of the foot of every page: name and address, register, directors and capital, tax numbers. Layouts before
 * version 4 print name and tax number on one line.
 */
export function buildFootLines(document: PrintableDocument, labels: DocumentLabels, formats: Formats): string[] {
  const { seller, templateVersion } = document;
  if (templateVersion < 4)
    return [join([seller.name, seller.taxId === undefined ? null : `${labels.taxId} ${seller.taxId}`])];
  const { name, legalForm, register, managingDirectors = [], shareCapital, identifiers = [] } = seller;
  const label = (word: string, value: string | undefined) => value && `${word}: ${value}`;
  return [
    join([
      legalForm === undefined || name.endsWith(legalForm) ? name : `${name}, ${legalForm}`,
      ...seller.addressLines,
    ]),
    join([
      label(labels.register, register),
      label(labels.managingDirectors, managingDirectors.join(', ')),
      label(labels.shareCapital, shareCapital && formats.money(shareCapital.amount, shareCapital.currencyCode)),
    ]),
    join(identifiers.filter(({ value }) => !register?.endsWith(value)).map((each) => `${each.label} ${each.value}`)),
  ].filter((line) => line !== '');
}
