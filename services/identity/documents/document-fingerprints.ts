import { createHmac } from 'node:crypto';
import { formatDocumentIdentity } from '../../../domain/identity/documents/document-identity';
import type { DocumentIdentity } from '../../../domain/identity/documents/document-identity';
import { ensureDataKey } from '../../platform/evidence/data-keys';
import type { Platform, Scope } from '../../platform/platform';

/** Keyed hashes of one organisation and mode: equal for equal documents, and not guessable without the key. */
export interface Fingerprinter {
  hashDocument: (document: DocumentIdentity) => string;
  /** @param dateOfBirth YYYY-MM-DD */
  hashHolder: (dateOfBirth: string) => string;
}

/**
 * Creates the fingerprinter of an organisation and mode. Its key is random and wrapped by the master key, so that a
 * rotation of the master key changes no fingerprint.
 */
export async function createFingerprinter(platform: Platform, scope: Scope): Promise<Fingerprinter> {
  const { key } = await ensureDataKey(platform, scope, `fingerprints.${scope.organisationId}.${scope.mode}`);
  const hash = (kind: string, text: string): string =>
    createHmac('sha256', key).update(`${kind}:${text}`).digest('hex');
  return {
    hashDocument: (document) => hash('document', formatDocumentIdentity(document)),
    hashHolder: (dateOfBirth) => hash('holder', dateOfBirth),
  };
}
