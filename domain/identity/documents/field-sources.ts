import type { DocumentField, FieldName, FieldSource } from './result';

/** Sources in the order in which they decide a value; the zone counts only if its check digits verify. */
const PRECEDENCE: readonly FieldSource[] = ['mrz', 'barcode', 'visual'];

/** The value of a field that decides, from the most reliable source that has it. */
export function findDecidingField(
  fields: readonly DocumentField[],
  name: FieldName,
  zoneVerified: boolean,
): DocumentField | null {
  const usable = fields.filter((field) => field.name === name && (field.source !== 'mrz' || zoneVerified));
  return PRECEDENCE.flatMap((source) => usable.find((field) => field.source === source) ?? [])[0] ?? null;
}

/** The value of {@link findDecidingField}. */
export const selectValue = (fields: readonly DocumentField[], name: FieldName, zoneVerified: boolean): string | null =>
  findDecidingField(fields, name, zoneVerified)?.value ?? null;
