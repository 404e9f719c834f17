import { formatDocumentIdentity, listBlockedIdentities } from '../../../domain/identity/documents/document-identity';
import type { DocumentIdentity } from '../../../domain/identity/documents/document-identity';
import { createBlindIndex } from '../../platform/evidence/blind-index';
import type { Platform, Scope } from '../../platform/platform';

/** Keyed hashes of documents in one organisation and mode: equal for equal documents, not guessable without the keys. */
export interface Fingerprinter {
  compute: (document: DocumentIdentity) => string;
  /** The forms in which the fingerprint of a document may be stored. */
  list: (document: DocumentIdentity) => string[];
  /** Those in which documents may be on the blocklist, whose entries of earlier versions have forms of their own. */
  listBlocked: (documents: readonly DocumentIdentity[]) => string[];
}

/** Computes keyed hashes of documents, by which equal ones are found without storing their numbers. */
export async function createFingerprinter(platform: Platform, scope: Scope): Promise<Fingerprinter> {
  const index = await createBlindIndex(platform, scope, 'fingerprints');
  const describe = (document: DocumentIdentity): string => `document:${formatDocumentIdentity(document)}`;
  return {
    compute: (document) => index.compute(describe(document)),
    list: (document) => index.list(describe(document)),
    listBlocked: (documents) =>
      documents
        .flatMap(listBlockedIdentities)
        .map(describe)
        .flatMap((text) => [...index.list(text), index.computeEarlier(text)]),
  };
}
