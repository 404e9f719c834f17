/** Records of a person that can be erased; each has its rules in services/identity/erasure/person-records. */
export const PERSON_RECORD_KINDS = ['session', 'check', 'screening', 'register', 'kyb', 'face'] as const;

export type PersonRecordKind = (typeof PERSON_RECORD_KINDS)[number];

/** Why a record was erased: a client asked, or the time it is kept for was over. */
export const ERASURE_REASONS = ['request', 'retention'] as const;

export type ErasureReason = (typeof ERASURE_REASONS)[number];

/** `erasing`: the record is gone for everyone and its data key destroyed; what is left of it is being removed. */
export const ERASURE_STATUSES = ['erasing', 'completed'] as const;

export type ErasureStatus = (typeof ERASURE_STATUSES)[number];

/** What an erasure did to the rows of one collection. */
export interface ErasedRows {
  /** rows that are gone */
  removed: number;
  /** rows that stay, without anything that tells of the person */
  anonymised: number;
}
