import type { EvidenceRecord } from '../../../models/platform/evidence/evidence';
import { readEvidence } from './evidence';
import type { Platform, Scope } from '../platform';
import { signLink, verifyLink } from './signed-links';
import { runTransaction } from '../transactions/unit-of-work';

export interface FileLink {
  url: string;
  expiresAt: Date;
}

/** A link that opens one file of one organisation, made and audited for a request that was authorised. */
export async function makeFileLink(
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
 * The file behind a link, decrypted, after the look was audited in the name of whoever asked for the link.
 * @throws AppError 404 for a token that is not ours or a file that was erased, 410 for one that expired
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
