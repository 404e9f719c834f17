import { detectPrintedType } from './labels';
import type { FieldName } from './result';

/** What an image shows that a document would have. */
export interface DocumentTraits {
  /** True with a machine-readable zone, or with the barcode of a licence or identity card. */
  hasMachineReadableData: boolean;
  hasPortrait: boolean;
  print: string;
  /** Fields that were found by their captions. */
  fields: readonly FieldName[];
}

/** Titles of cards that identify their holder but are not identity documents. */
const OTHER_CARD =
  /\blibrar(?:y|ies)\b|biblioth?[eè]|bibliotek|b[uü]cherei|\bstudent|\bstudierende|[eé]tudiant|estudiante|\bmember(?:ship)?\b|\bmitglied|\bemployee\b|\bstaff\b|\bvisitor\b|loyalty|\bgym\b|fitness|insurance card|krankenkasse|gesundheitskarte|discount/iu;

/** Titles that no other card has. */
const CERTAIN_TYPES: readonly ReturnType<typeof detectPrintedType>[] = ['passport', 'driving_licence', 'visa'];

/** Minimum number of printed characters that make an image with a face a document. */
const MIN_PRINT_CHARACTERS = 40;

/** Share of letters outside the Latin script from which titles and captions are not expected to be recognised. */
const MIN_FOREIGN_SHARE = 0.3;

function isMostlyForeign(print: string): boolean {
  const letters = print.match(/\p{L}/gu)?.length ?? 0;
  const latin = print.match(/\p{Script=Latin}/gu)?.length ?? 0;
  return letters > 0 && (letters - latin) / letters >= MIN_FOREIGN_SHARE;
}

/**
 * Whether images show an identity document: by its machine-readable data, its printed title, or a portrait next to the
 * captions of an identity document. Cards of libraries, schools and clubs are none.
 */
export function isIdentityDocument({ hasMachineReadableData, hasPortrait, print, fields }: DocumentTraits): boolean {
  if (hasMachineReadableData) return true;
  const type = detectPrintedType(print);
  if (CERTAIN_TYPES.includes(type)) return true;
  if (OTHER_CARD.test(print)) return false;
  if (type !== null) return true;
  if (!hasPortrait || print.length <= MIN_PRINT_CHARACTERS) return false;
  return isMostlyForeign(print) || (fields.includes('dateOfBirth') && new Set(fields).size >= 3);
}
