import type { DocumentResult } from '../documents/result';
import { buildRisk } from '../checks/risks';
import type { Risk, RiskCode } from '../checks/risks';
import { listNameSpellings } from '../name-spellings';

/** What the creator of a session already knows about the person; a document that differs causes a review. */
export interface ExpectedDetails {
  firstName?: string | undefined;
  lastName?: string | undefined;
  /** YYYY-MM-DD */
  dateOfBirth?: string | undefined;
  /** ISO 3166-1 alpha-3 */
  nationality?: string | undefined;
  /** ISO 3166-1 alpha-3: the state that issued the document. */
  country?: string | undefined;
  documentNumber?: string | undefined;
  address?: string | undefined;
}

/** The fields of a document that are compared. */
type DocumentDetails = Pick<
  DocumentResult,
  'firstName' | 'lastName' | 'fullName' | 'dateOfBirth' | 'issuingState' | 'nationality' | 'documentNumber'
>;

/** Whether `read` contains every word of `expected`, in any way of writing umlauts and apostrophes. */
export function namesAgree(expected: string, read: string): boolean {
  const readSpellings = listNameSpellings(read);
  return listNameSpellings(expected).some(
    (expectedWords) =>
      expectedWords.length > 0 && readSpellings.some((words) => expectedWords.every((word) => words.includes(word))),
  );
}

/** Whether two dates are equal; a part that the document leaves open (`XX`) equals any value. */
const datesAgree = (expected: string, read: string): boolean =>
  expected.length === read.length && [...expected].every((character, i) => read[i] === 'X' || read[i] === character);

const normaliseNumber = (number: string): string => number.toUpperCase().replace(/[^A-Z0-9]/g, '');

interface Comparison {
  code: RiskCode;
  field: keyof ExpectedDetails | 'name';
  expected: string | undefined;
  read: string | null;
  agree: (expected: string, read: string) => boolean;
}

/**
 * Compares a document with the expected details. An expected detail that could not be read counts as different, so
 * that no expectation is ignored silently. The risks name fields, never values.
 */
export function assessExpectedDetailsRisks(expected: ExpectedDetails, document: DocumentDetails): Risk[] {
  const name = [expected.firstName, expected.lastName].filter((part) => part !== undefined).join(' ');
  const readName = document.fullName ?? ([document.firstName, document.lastName].filter(Boolean).join(' ') || null);
  const equal = (a: string, b: string): boolean => a === b;
  const comparisons: Comparison[] = [
    { code: 'expected_name_mismatch', field: 'name', expected: name || undefined, read: readName, agree: namesAgree },
    {
      code: 'expected_date_of_birth_mismatch',
      field: 'dateOfBirth',
      expected: expected.dateOfBirth,
      read: document.dateOfBirth,
      agree: datesAgree,
    },
    {
      code: 'expected_country_mismatch',
      field: 'country',
      expected: expected.country,
      read: document.issuingState,
      agree: equal,
    },
    {
      code: 'expected_country_mismatch',
      field: 'nationality',
      expected: expected.nationality,
      read: document.nationality,
      agree: equal,
    },
    {
      code: 'expected_document_number_mismatch',
      field: 'documentNumber',
      expected: expected.documentNumber,
      read: document.documentNumber,
      agree: (a, b) => normaliseNumber(a) === normaliseNumber(b),
    },
  ];
  return comparisons.flatMap(({ code, field, expected: expectedValue, read, agree }) =>
    expectedValue === undefined || (read !== null && agree(expectedValue, read))
      ? []
      : [buildRisk(code, { details: { field, found: read !== null } })],
  );
}
