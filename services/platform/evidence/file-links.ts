import type { EvidenceRecord } from '../../../models/platform/evidence/evidence';
import { readEvidence } from './evidence';
import type { Platform, Scope } from '../platform';
import { signLink, verifyLink } from './signed-links';
import { runTransaction } from '../transactions/unit-of-work';

export interface FileLink {
  url: string;
  expiresAt: Date;
}

/** Creates a link to one file and audits it. The caller has authorised the request. */
export async function createFileLink(
  platform: Platform,
  scope: Scope,
  actor: string,
  evidenceId: string,
): Promise<FileLink> {
  const { token, expiresAt } = signLink(platform, 'vouch-file', { ...scope, actor, subject: evidenceId });
  await runTransaction(platform, (unit) =>
    unit.audit(scope, { actor, action: 'evidence.link_made', subject: evidenceId }),
  );
  return { url: `${platform.config.PUBLIC_URL}/files/${token}`, expiresAt };
}

/**
 * Reads and decrypts the file of a link. The access is audited with the actor that created the link.
 * @throws AppError 404 for an invalid token or an erased file, 410 for an expired link
 */
export async function openFileLink(
  platform: Platform,
  token: string,
): Promise<{ record: EvidenceRecord; body: Buffer }> {
  const { subject, organisationId, mode, actor } = verifyLink(platform, 'vouch-file', token);
  const scope: Scope = { organisationId, mode };
  const file = await readEvidence(platform, scope, subject);
  await runTransaction(platform, (unit) => unit.audit(scope, { actor, action: 'evidence.read', subject }));
  return file;
}
