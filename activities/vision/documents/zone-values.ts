import type { MachineValue } from '../../../domain/identity/documents/agreement';
import type { MrzFieldKey } from '../../../domain/identity/documents/mrz/format';
import type { ParsedMrz } from '../../../domain/identity/documents/mrz/parse';
import type { FieldName } from '../../../domain/identity/documents/result';

/** The fields of a zone by their names in results. */
export const MRZ_KEYS: readonly (readonly [FieldName, MrzFieldKey])[] = [
  ['documentNumber', 'documentNumber'],
  ['lastName', 'name'],
  ['firstName', 'name'],
  ['dateOfBirth', 'dateOfBirth'],
  ['sex', 'sex'],
  ['nationality', 'nationality'],
  ['expiryDate', 'expiryDate'],
  ['personalNumber', 'optional1'],
];

/** The values of a zone that can be compared with print. */
export const listZoneValues = ({ fields }: Pick<ParsedMrz, 'fields'>): MachineValue[] =>
  MRZ_KEYS.flatMap(([name]): MachineValue[] => {
    const value = fields[name as keyof typeof fields];
    // Where the field is full, the end of either name may be missing: the surname is shortened to make room for others.
    const isName = name === 'firstName' || name === 'lastName';
    return typeof value === 'string' ? [{ name, value, truncated: fields.nameTruncated && isName }] : [];
  });
