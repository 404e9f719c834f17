import type { Finding } from '../../checks/checks';
import type { RuleSubject } from './subject';

/** How values of a field are compared. Dates are YYYY-MM-DD; `any` accepts a value of any type. */
export type FieldType = 'text' | 'number' | 'boolean' | 'date' | 'list' | 'any';

/** A value of a field; undefined if the feature did not run or found no value. */
export type FactValue = string | number | boolean | readonly string[] | undefined;

export interface RuleField {
  type: FieldType;
  description: string;
  read: (subject: RuleSubject) => FactValue | null;
}

const defineField = (type: FieldType, description: string, read: RuleField['read']): RuleField => ({
  type,
  description,
  read,
});

const DOCUMENT_FIELDS = {
  'document.type': defineField('text', 'Type of the document.', ({ results: r }) => r.id_verification?.documentType),
  'document.issuingState': defineField(
    'text',
    'Issuing state, alpha-3.',
    ({ results: r }) => r.id_verification?.issuingState,
  ),
  'document.nationality': defineField(
    'text',
    'Nationality, alpha-3.',
    ({ results: r }) => r.id_verification?.nationality,
  ),
  'document.number': defineField(
    'text',
    'Number of the document.',
    ({ results: r }) => r.id_verification?.documentNumber,
  ),
  'document.personalNumber': defineField(
    'text',
    'Personal number on the document.',
    ({ results: r }) => r.id_verification?.personalNumber,
  ),
  'document.firstName': defineField(
    'text',
    'Given names as printed.',
    ({ results: r }) => r.id_verification?.firstName,
  ),
  'document.lastName': defineField('text', 'Family name as printed.', ({ results: r }) => r.id_verification?.lastName),
  'document.fullName': defineField('text', 'Full name.', ({ results: r }) => r.id_verification?.fullName),
  'document.dateOfBirth': defineField('date', 'Date of birth.', ({ results: r }) => r.id_verification?.dateOfBirth),
  'document.age': defineField(
    'number',
    'Age in whole years on the day of the check.',
    ({ results: r }) => r.id_verification?.age,
  ),
  'document.sex': defineField('text', 'F, M or X.', ({ results: r }) => r.id_verification?.sex),
  'document.issueDate': defineField('date', 'Date of issue.', ({ results: r }) => r.id_verification?.issueDate),
  'document.expiryDate': defineField('date', 'Date of expiry.', ({ results: r }) => r.id_verification?.expiryDate),
  'document.placeOfBirth': defineField('text', 'Place of birth.', ({ results: r }) => r.id_verification?.placeOfBirth),
  'document.address': defineField('text', 'Address on the document.', ({ results: r }) => r.id_verification?.address),
  'document.mrzValid': defineField(
    'boolean',
    'Whether all check digits of the machine-readable zone verify.',
    ({ results: r }) => r.id_verification?.mrz?.valid,
  ),
} satisfies Record<string, RuleField>;

const FACE_FIELDS = {
  'liveness.score': defineField('number', 'Score 0–100.', ({ results: r }) => r.liveness?.score),
  'liveness.method': defineField('text', 'Method of the evaluation.', ({ results: r }) => r.liveness?.method),
  'liveness.quality': defineField(
    'number',
    'Quality of the face 0–100.',
    ({ results: r }) => r.liveness?.quality?.overall,
  ),
  'faceMatch.score': defineField(
    'number',
    'Score 0–100, 50 at the threshold.',
    ({ results: r }) => r.face_match?.score,
  ),
  'faceMatch.similarity': defineField('number', 'Cosine −1–1.', ({ results: r }) => r.face_match?.similarity),
  'age.estimate': defineField('number', 'Estimated age in years.', ({ results: r }) => r.age?.age),
  'age.meetsMinimumAge': defineField('text', 'yes, no or uncertain.', ({ results: r }) => r.age?.meetsMinimumAge),
  'faceMatch.match': defineField(
    'boolean',
    'Whether the score reaches the threshold.',
    ({ results: r }) => r.face_match?.match,
  ),
} satisfies Record<string, RuleField>;

const ADDRESS_PROOF_FIELDS = {
  'poa.documentType': defineField(
    'text',
    'Kind of the proof of address.',
    ({ results: r }) => r.proof_of_address?.documentType,
  ),
  'poa.issuer': defineField('text', 'Issuer of the proof of address.', ({ results: r }) => r.proof_of_address?.issuer),
  'poa.issueDate': defineField(
    'date',
    'Date of issue of the proof of address.',
    ({ results: r }) => r.proof_of_address?.issueDate,
  ),
  'poa.language': defineField(
    'text',
    'Language of the proof of address, ISO 639-1.',
    ({ results: r }) => r.proof_of_address?.language,
  ),
  'poa.name': defineField('text', 'Name of the recipient.', ({ results: r }) => r.proof_of_address?.name),
  'poa.address': defineField(
    'text',
    'Complete address of the recipient.',
    ({ results: r }) => r.proof_of_address?.address?.raw,
  ),
  'poa.city': defineField('text', 'City of the address.', ({ results: r }) => r.proof_of_address?.address?.city),
  'poa.postalCode': defineField(
    'text',
    'Postal code of the address.',
    ({ results: r }) => r.proof_of_address?.address?.postalCode,
  ),
  'poa.country': defineField(
    'text',
    'Country of the address, alpha-3.',
    ({ results: r }) => r.proof_of_address?.address?.country,
  ),
} satisfies Record<string, RuleField>;

/** The lists of the hits that make the screening a match. Results have hits below their limit, too. */
const listMatchingLists = ({ hits, thresholds }: Finding<'aml_screening'>): string[] => [
  ...new Set(
    hits
      .filter(({ reviewStatus, score }) => reviewStatus !== 'false_positive' && score >= thresholds.review)
      .map(({ list }) => list),
  ),
];

const RECORD_FIELDS = {
  'database.matchType': defineField(
    'text',
    'full, partial or none.',
    ({ results: r }) => r.database_validation?.matchType,
  ),
  'database.provider': defineField(
    'text',
    'register or national_number.',
    ({ results: r }) => r.database_validation?.provider,
  ),
  'database.numberStatus': defineField(
    'text',
    'valid, invalid or unsupported.',
    ({ results: r }) => r.database_validation?.numberStatus,
  ),
  'aml.match': defineField(
    'boolean',
    'Whether a watch list has a relevant hit: one that is no false positive, with at least the score of review.',
    ({ results: r }) => r.aml_screening?.match,
  ),
  'aml.score': defineField(
    'number',
    'Score of the best hit that is no false positive, 0–100.',
    ({ results: r }) => r.aml_screening?.score,
  ),
  'aml.lists': defineField('list', 'Codes of the watch lists with a relevant hit.', ({ results: r }) =>
    r.aml_screening === undefined ? undefined : listMatchingLists(r.aml_screening),
  ),
} satisfies Record<string, RuleField>;

const SESSION_FIELDS = {
  'session.externalId': defineField(
    'text',
    "The client's own id of the person or case.",
    ({ session }) => session.externalId,
  ),
  'session.language': defineField('text', 'Language tag.', ({ session }) => session.language),
  'session.country': defineField(
    'text',
    'Issuing state of the document, else the expected country, alpha-3.',
    ({ session }) => session.country,
  ),
  'session.email': defineField('text', 'Email address of the person.', ({ session }) => session.contact?.email),
  'session.phone': defineField('text', 'Phone number of the person.', ({ session }) => session.contact?.phone),
  'session.attempts': defineField('number', 'Checks submitted over all steps.', ({ session }) => session.attempts),
  risks: defineField('list', 'Codes of every risk found, including ignored ones.', ({ risks }) => risks),
} satisfies Record<string, RuleField>;

/** Fields of the session; those of a feature are in the table of that feature. */
export const RULE_FIELDS: Readonly<Record<string, RuleField>> = {
  ...DOCUMENT_FIELDS,
  ...FACE_FIELDS,
  ...ADDRESS_PROOF_FIELDS,
  ...RECORD_FIELDS,
  ...SESSION_FIELDS,
};

const METADATA_PREFIX = 'session.metadata.';

/** Field names for error messages and the documentation. */
export const RULE_FIELD_NAMES: readonly string[] = [...Object.keys(RULE_FIELDS), `${METADATA_PREFIX}<name>`];

const isList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

/** Reads a value of the client's metadata by its path, with `.` between the names of nested objects. */
function readMetadataValue(metadata: Record<string, unknown> | null, path: string): FactValue {
  let value: unknown = metadata;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = Object.entries(value).find(([key]) => key === name)?.[1];
  }
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return isList(value) ? value : undefined;
}

/** Finds a field by its name; undefined if there is none. */
export function findRuleField(name: string): RuleField | undefined {
  if (Object.hasOwn(RULE_FIELDS, name)) return RULE_FIELDS[name];
  if (!name.startsWith(METADATA_PREFIX) || name.length === METADATA_PREFIX.length) return undefined;
  const path = name.slice(METADATA_PREFIX.length);
  return defineField('any', 'Value in the metadata of the session.', ({ session }) =>
    readMetadataValue(session.metadata, path),
  );
}
