import { buildRisk, computeVerdict } from '../checks/risks';
import type { Risk, Verdict } from '../checks/risks';
import { getKnownPart } from '../documents/mrz/dates';
import type { PartialDate } from '../documents/mrz/dates';
import { listNameSpellings } from '../name-spellings';
import type { RegisteredPerson } from '../registers/rows';
import { matchesDateOfBirth } from './encoded-details';
import type { NumberVerdict } from './national-number';

/** Claims about a person that a database validation checks. */
export interface DatabaseClaims {
  /** Country that issued the number, ISO 3166-1 alpha-2. */
  country: string;
  /** National number as entered. */
  idNumber: string;
  firstName: string | null;
  lastName: string | null;
  /** Date of birth, ISO 8601; a document may leave month or day open (`XX`). */
  dateOfBirth: PartialDate | null;
  sex: 'F' | 'M' | null;
}

export const DATABASE_FIELDS = ['idNumber', 'firstName', 'lastName', 'dateOfBirth', 'sex', 'image'] as const;

export type DatabaseField = (typeof DATABASE_FIELDS)[number];

/** `partial`: for example one of several given names matches, or the year of a date without a day. `not_checked`: the source has no data for the field. */
export type FieldVerdict = 'match' | 'partial' | 'mismatch' | 'not_checked';

export interface FieldValidation {
  field: DatabaseField;
  status: FieldVerdict;
}

/** Source of a validation: the organisation's own register, or the rules for the country's numbers. */
export type DatabaseProvider = 'register' | 'national_number';

export interface DatabaseResult {
  status: Verdict;
  risks: Risk[];
  /** Null if no provider covers the country. */
  matchType: 'full' | 'partial' | 'none' | null;
  provider: DatabaseProvider | null;
  /** Verdicts on all claimed fields. */
  validations: FieldValidation[];
  /** Verdict on the number by its structure and check digits: a valid number may be unassigned. */
  numberStatus: NumberVerdict['status'];
  /** Time of the register's import. */
  dataAt: string | null;
}

/** Result of the lookup in the organisation's register. Null if there is no register of this country. */
export interface RegisterLookupResult {
  person: RegisteredPerson | null;
  dataAt: string;
}

function compareWords(claimed: readonly string[], known: readonly string[]): FieldVerdict {
  if (claimed.join(' ') === known.join(' ')) return 'match';
  const [shorter, longer] = claimed.length <= known.length ? [claimed, known] : [known, claimed];
  return shorter.length > 0 && shorter.every((word) => longer.includes(word)) ? 'partial' : 'mismatch';
}

/**
 * Compares names in any way of writing them: a document states Müller as MUELLER and O'Neill as ONEILL. A match of one
 * of several names is partial.
 */
function compareNames(claimed: string, known: string): FieldVerdict {
  const knownSpellings = listNameSpellings(known);
  const verdicts = listNameSpellings(claimed).flatMap((words) =>
    knownSpellings.map((knownWords) => compareWords(words, knownWords)),
  );
  return (['match', 'partial'] as const).find((verdict) => verdicts.includes(verdict)) ?? 'mismatch';
}

/** Compares dates of birth; one of which a document leaves month or day open (`XX`) matches in part. */
function compareDates(claimed: PartialDate, known: string | null): FieldVerdict {
  if (known === null) return 'not_checked';
  if (claimed === known) return 'match';
  const stated = getKnownPart(claimed);
  return stated !== claimed && known.startsWith(stated) ? 'partial' : 'mismatch';
}

const toFieldVerdict = (agrees: boolean | null): FieldVerdict =>
  agrees === null ? 'not_checked' : agrees ? 'match' : 'mismatch';

/** The claimed fields with the verdict of the source on each. */
function buildValidations(
  claims: DatabaseClaims,
  hasImage: boolean,
  verdict: (field: DatabaseField) => FieldVerdict,
): FieldValidation[] {
  const provided: Record<DatabaseField, boolean> = {
    idNumber: true,
    firstName: claims.firstName !== null,
    lastName: claims.lastName !== null,
    dateOfBirth: claims.dateOfBirth !== null,
    sex: claims.sex !== null,
    image: hasImage,
  };
  return DATABASE_FIELDS.filter((field) => provided[field]).map((field) => ({ field, status: verdict(field) }));
}

function createRegisterComparer(claims: DatabaseClaims, person: RegisteredPerson, encoded: NumberVerdict) {
  const { firstName, lastName, dateOfBirth, sex } = claims;
  return (field: DatabaseField): FieldVerdict => {
    switch (field) {
      case 'idNumber':
        return 'match';
      case 'firstName':
        return compareNames(firstName ?? '', person.firstName);
      case 'lastName':
        return compareNames(lastName ?? '', person.lastName);
      case 'dateOfBirth':
        return compareDates(dateOfBirth ?? '', person.dateOfBirth);
      case 'sex':
        return compareSex(sex, encoded);
      case 'image':
        // Registers contain no photographs.
        return 'not_checked';
    }
  };
}

const compareSex = (sex: DatabaseClaims['sex'], number: NumberVerdict): FieldVerdict =>
  number.status === 'valid' && number.encoded !== null && number.encoded.sex !== null
    ? toFieldVerdict(number.encoded.sex === sex)
    : 'not_checked';

function createNumberComparer(claims: DatabaseClaims, number: NumberVerdict) {
  return (field: DatabaseField): FieldVerdict => {
    switch (field) {
      case 'idNumber':
        return toFieldVerdict(number.status === 'valid');
      case 'dateOfBirth':
        return number.status === 'valid' && number.encoded !== null
          ? toFieldVerdict(matchesDateOfBirth(number.encoded, claims.dateOfBirth ?? ''))
          : 'not_checked';
      case 'sex':
        return compareSex(claims.sex, number);
      case 'firstName':
      case 'lastName':
      case 'image':
        return 'not_checked';
    }
  };
}

/** Names and dates identify a person; if none of them agrees, the number belongs to another person. */
function computeMatchType(validations: readonly FieldValidation[]): 'full' | 'partial' | 'none' {
  if (validations.every(({ status }) => status === 'match')) return 'full';
  const getStatus = (name: DatabaseField): FieldVerdict | undefined =>
    validations.find(({ field }) => field === name)?.status;
  if (getStatus('idNumber') === 'mismatch' || getStatus('dateOfBirth') === 'mismatch') return 'none';
  return getStatus('lastName') === 'mismatch' && getStatus('firstName') !== 'match' ? 'none' : 'partial';
}

const RISK_BY_MATCH_TYPE = { none: 'database_no_match', partial: 'database_partial_match' } as const;

/**
 * Validates claims about a person against the organisation's register or, if it does not cover the country, against the
 * rules for the country's numbers. `full` requires every claimed field to match the register: number rules know no
 * names, so that a valid number alone is at most `partial`. A country that no provider covers never passes.
 */
export function validateClaims(
  claims: DatabaseClaims,
  number: NumberVerdict,
  register: RegisterLookupResult | null,
  hasImage: boolean,
): DatabaseResult {
  const { status: numberStatus } = number;
  const dataAt = register?.dataAt ?? null;
  if (register === null && numberStatus === 'unsupported') {
    const risks = [buildRisk('database_not_available')];
    const validations = buildValidations(claims, hasImage, () => 'not_checked');
    return { status: computeVerdict(risks), risks, matchType: null, provider: null, validations, numberStatus, dataAt };
  }
  const provider = register === null ? 'national_number' : 'register';
  const registeredPerson = register?.person ?? null;
  const verdict =
    registeredPerson !== null
      ? createRegisterComparer(claims, registeredPerson, number)
      : register === null
        ? createNumberComparer(claims, number)
        : (field: DatabaseField): FieldVerdict => (field === 'idNumber' ? 'mismatch' : 'not_checked');
  const validations = buildValidations(claims, hasImage, verdict);
  const computedMatch = computeMatchType(validations);
  // Number rules do not identify a person.
  const matchType = computedMatch === 'full' && provider === 'national_number' ? 'partial' : computedMatch;
  const risks = matchType === 'full' ? [] : [buildRisk(RISK_BY_MATCH_TYPE[matchType], { details: { provider } })];
  return { status: computeVerdict(risks), risks, matchType, provider, validations, numberStatus, dataAt };
}
