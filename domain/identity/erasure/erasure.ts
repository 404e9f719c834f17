/**
 * Kinds of records about a person that can be erased; services/identity/erasure/person-records has the rules of each.
 */
export const PERSON_RECORD_KINDS = ['session', 'check', 'screening', 'register', 'kyb', 'face'] as const;

export type PersonRecordKind = (typeof PERSON_RECORD_KINDS)[number];

/** Why a record was erased: on request of a client, or because its retention period ended. */
export const ERASURE_REASONS = ['request', 'retention'] as const;

export type ErasureReason = (typeof ERASURE_REASONS)[number];

/** `erasing`: the record is no longer accessible and its data key is destroyed; the remaining data is being removed. */
export const ERASURE_STATUSES = ['erasing', 'completed'] as const;

export type ErasureStatus = (typeof ERASURE_STATUSES)[number];

/** Result of an erasure for one collection. */
export interface ErasedRows {
  /** Number of removed rows. */
  removed: number;
  /** Number of rows that are kept without personal data. */
  anonymised: number;
}
