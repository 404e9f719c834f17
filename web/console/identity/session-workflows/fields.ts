/** Fields that conditions may name; further ones are `session.metadata.<name>`. The API rejects any other. */
export const RULE_FIELDS = [
  'document.type',
  'document.issuingState',
  'document.nationality',
  'document.age',
  'document.sex',
  'document.issueDate',
  'document.expiryDate',
  'document.placeOfBirth',
  'document.address',
  'document.mrzValid',
  'liveness.score',
  'liveness.method',
  'liveness.quality',
  'faceMatch.score',
  'faceMatch.similarity',
  'faceMatch.match',
  'age.estimate',
  'age.meetsMinimumAge',
  'poa.documentType',
  'poa.issueDate',
  'poa.country',
  'database.matchType',
  'aml.match',
  'aml.score',
  'aml.lists',
  'session.externalId',
  'session.language',
  'session.country',
  'session.attempts',
  'risks',
];

/** Fields that are compared with a number. */
export const NUMBER_FIELDS: readonly string[] = [
  'document.age',
  'liveness.score',
  'liveness.quality',
  'faceMatch.score',
  'faceMatch.similarity',
  'age.estimate',
  'aml.score',
  'session.attempts',
];

/** Fields that are compared with true or false. */
export const BOOLEAN_FIELDS: readonly string[] = ['document.mrzValid', 'faceMatch.match', 'aml.match'];

/** Whether the values of a field can be of any type, as in the metadata of the client. */
export const isOfAnyType = (field: string): boolean => field.startsWith('session.metadata.');
