import { notFoundError } from '../../../domain/errors';
import { sha256Hex } from '../../../lib/crypto/secrets';
import { BrandLogo } from '../../../models/identity/capture/brand-logo';
import type { BrandLogoRecord } from '../../../models/identity/capture/brand-logo';
import { requireLogo } from '../../platform/evidence/logos';
import type { Platform, Scope } from '../../platform/platform';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';

/** Telephones load the logo with the page. */
export const BRAND_LOGO_LIMITS = { maxBytes: 256 * 1024, maxSide: 2000, maxPixels: 2_000_000 } as const;

/** A logo without its bytes. */
export type BrandLogoFacts = Pick<BrandLogoRecord, 'contentType' | 'sha256' | 'updatedAt'> & { bytes: number };

/** People see the logo in live and in test mode, whichever mode it was changed in. */
async function auditInBothModes(unit: UnitOfWork, organisationId: string, entry: { actor: string; action: string }) {
  for (const mode of ['live', 'test'] as const)
    await unit.audit({ organisationId, mode }, { ...entry, subject: organisationId });
}

/**
 * Sets the logo of an organisation, which the capture page shows from now on.
 * @throws AppError 400, 413 or 415
 */
export async function setBrandLogo(
  platform: Platform,
  scope: Scope,
  actor: string,
  body: Buffer,
): Promise<BrandLogoFacts> {
  const contentType = requireLogo('logo', body, BRAND_LOGO_LIMITS);
  const { organisationId } = scope;
  const logo = { contentType, sha256: sha256Hex(body), updatedAt: platform.clock.now() };
  await runTransaction(platform, async (unit) => {
    await BrandLogo.updateOne(
      { _id: organisationId },
      { $set: { organisationId, body, ...logo } },
      { session: unit.mongoSession, upsert: true },
    );
    await auditInBothModes(unit, organisationId, { actor, action: 'organisation.logo_changed' });
  });
  return { ...logo, bytes: body.length };
}

/** Removes the logo of an organisation. @throws AppError 404 if it has none */
export const removeBrandLogo = (platform: Platform, scope: Scope, actor: string): Promise<void> =>
  runTransaction(platform, async (unit) => {
    const { organisationId } = scope;
    const removed = await BrandLogo.deleteOne({ _id: organisationId }, { session: unit.mongoSession });
    if (removed.deletedCount === 0) throw notFoundError('logo');
    await auditInBothModes(unit, organisationId, { actor, action: 'organisation.logo_removed' });
  });

/** The logo of an organisation without its bytes; null without a logo. */
export async function findBrandLogo({ organisationId }: Pick<Scope, 'organisationId'>): Promise<BrandLogoFacts | null> {
  const logo = await BrandLogo.findById(organisationId);
  if (logo === null) return null;
  const { contentType, sha256, updatedAt, body } = logo;
  return { contentType, sha256, updatedAt, bytes: body.length };
}

/** @throws AppError 404 if the organisation has no logo */
export async function readBrandLogo({
  organisationId,
}: Pick<Scope, 'organisationId'>): Promise<{ bytes: Buffer; contentType: string }> {
  const logo = await BrandLogo.findById(organisationId);
  if (logo === null) throw notFoundError('logo');
  return { bytes: logo.body, contentType: logo.contentType };
}

/** A name of the present logo that changes with it; null without a logo. */
export async function findBrandLogoVersion(organisationId: string): Promise<string | null> {
  const logo = await BrandLogo.findById(organisationId, { sha256: 1 }).lean<Pick<BrandLogoRecord, 'sha256'>>();
  return logo === null ? null : logo.sha256.slice(0, 16);
}
