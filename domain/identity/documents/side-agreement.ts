import { findNameVariant } from './name-words';
import { findNumberVariant } from './number-text';
import { parsePrintedDates } from './printed-dates';
import type { DocumentField, DocumentSide, FieldName } from './result';

/** Fields that identify the holder; a single contradiction may be a printing or reading error. */
const IDENTIFYING_FIELDS: readonly FieldName[] = ['documentNumber', 'lastName', 'firstName', 'dateOfBirth'];
const MIN_CONTRADICTIONS = 2;

/** Minimum number of printed dates of a side that must be those of the zone or barcode on the other one. */
const MIN_DATES = 2;

/** Whether print states another value, rather than a misread or slightly altered one. */
function isOtherValue({ name, value }: DocumentField, printed: string): boolean {
  if (name === 'dateOfBirth') return true;
  return (name === 'documentNumber' ? findNumberVariant(value, printed) : findNameVariant(value, printed)) === null;
}

/**
 * Whether the sides belong to two documents: the print of one states other identifying values than the zone or barcode
 * of the other, or prints several dates of which none is stated there, and neither its name nor its number.
 *
 * @param print lines of each side
 */
export function sidesContradict(
  fields: readonly DocumentField[],
  print: readonly { side: DocumentSide; lines: readonly string[] }[],
): boolean {
  const machine = fields.filter(({ source }) => source !== 'visual');
  const contradicted = machine.filter((field) => {
    const printed = fields.find(
      ({ name, source, agrees }) => name === field.name && source === 'visual' && agrees === false,
    );
    return (
      IDENTIFYING_FIELDS.includes(field.name) &&
      field.agrees === false &&
      printed !== undefined &&
      printed.side !== field.side &&
      isOtherValue(field, printed.value)
    );
  });
  if (new Set(contradicted.map(({ name }) => name)).size >= MIN_CONTRADICTIONS) return true;
  const isConfirmed = machine.some(({ name, agrees }) => IDENTIFYING_FIELDS.includes(name) && agrees === true);
  const stated = new Set(machine.map(({ value }) => value));
  return (
    machine.length > 0 &&
    !isConfirmed &&
    print.some(({ side, lines }) => {
      const dated = lines.map((line) => parsePrintedDates(line)).filter((dates) => dates.length > 0);
      return (
        machine.every((field) => field.side !== side) &&
        dated.length >= MIN_DATES &&
        dated.flat().every((date) => !stated.has(date))
      );
    })
  );
}
