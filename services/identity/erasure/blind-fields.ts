import type { BlindField } from '../../platform/evidence/key-rotation';

/** Every field that holds values of a blind index, which a new wrapping key re-encrypts. */
export const BLIND_FIELDS: readonly BlindField[] = [
  { collection: 'sessions', field: 'externalIdKey', isList: false, isErasable: true },
  { collection: 'sessions', field: 'searchTokens', isList: true, isErasable: false },
  { collection: 'faces', field: 'externalIdKey', isList: false, isErasable: true },
  { collection: 'document_uses', field: 'fingerprint', isList: false, isErasable: false, mergedList: 'uses' },
  { collection: 'blocked_documents', field: 'fingerprint', isList: false, isErasable: false },
  { collection: 'aml_screenings', field: 'subjectKey', isList: false, isErasable: true },
  { collection: 'aml_hits', field: 'subjectKey', isList: false, isErasable: false },
  { collection: 'aml_hits', field: 'personKey', isList: false, isErasable: false },
];
