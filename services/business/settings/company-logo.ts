import { notFoundError } from '../../../domain/errors';
import { identifyFile } from '../../../lib/files/identify';
import { newId } from '../../../lib/ids';
import { Company } from '../../../models/business/settings/company';
import type { CompanyRecord } from '../../../models/business/settings/company';
import { CreditNote } from '../../../models/business/credit-notes/credit-note';
import { Invoice } from '../../../models/business/invoices/invoice';
import { getEncrypted, putEncrypted } from '../../platform/evidence/encrypted-objects';
import { requireLogo } from '../../platform/evidence/logos';
import type { Platform } from '../../platform/platform';
import type { BusinessCaller } from '../access/caller';
import { changeCompany } from './company-settings';

/** A logo is embedded in every document, so its size is limited. */
export const MAX_LOGO_BYTES = 1024 * 1024;
/** The browser decodes every pixel for each document; a small file can have many. */
const LOGO_LIMITS = { maxBytes: MAX_LOGO_BYTES, maxSide: 4000, maxPixels: 4_000_000 } as const;
const LOGO_FOLDER = 'logo';

/**
 * Sets the logo of documents that are issued from now on. Earlier logos are kept, so that issued documents are printed
 * with the logo they had. Every upload has a key of its own: under the key of an earlier upload of the same file, it could
 * be removed by a sweep that has just found that one unused.
 * @throws AppError 400, 412, 413 or 415
 */
export async function setLogo(
  platform: Platform,
  caller: BusinessCaller,
  bytes: Buffer,
  ifMatch: number | undefined,
): Promise<CompanyRecord> {
  requireLogo('logo', bytes, LOGO_LIMITS);
  const logoKey = `${caller.organisationId}/${LOGO_FOLDER}/${newId('lgo')}`;
  await putEncrypted(platform, caller.organisationId, logoKey, bytes);
  return changeCompany(platform, caller, ifMatch, ['logo'], (current) => ({ ...current, logoKey }));
}

/** Removes the logo from documents that are issued from now on. @throws AppError 412 */
export const removeLogo = (
  platform: Platform,
  caller: BusinessCaller,
  ifMatch: number | undefined,
): Promise<CompanyRecord> =>
  changeCompany(platform, caller, ifMatch, ['logo'], (current) => ({ ...current, logoKey: null }));

/** @throws AppError 404 if the company has no logo */
export async function readLogo(
  platform: Platform,
  { company, organisationId }: BusinessCaller,
): Promise<{ bytes: Buffer; contentType: string }> {
  const bytes = company.logoKey === null ? null : await getEncrypted(platform, organisationId, company.logoKey);
  const contentType = bytes === null ? undefined : identifyFile(bytes)?.type;
  if (bytes === null || contentType === undefined) throw notFoundError('logo');
  return { bytes, contentType };
}

async function isUsedOnDocument(organisationId: string, key: string): Promise<boolean> {
  const usage = { organisationId, 'document.seller.logoKey': key };
  return (await Invoice.exists(usage)) !== null || (await CreditNote.exists(usage)) !== null;
}

/**
 * For the sweeper: returns the keys of logos that a company or an issued document refers to, and all keys that are not
 * of logos. The key of a logo starts with the id of its organisation.
 */
export async function findReferencedLogoObjects(keys: readonly string[]): Promise<ReadonlySet<string>> {
  const logos = keys.filter((key) => key.includes(`/${LOGO_FOLDER}/`));
  const companies = await Company.find({ logoKey: { $in: logos } }, { logoKey: 1 }).lean<
    Pick<CompanyRecord, 'logoKey'>[]
  >();
  const referenced = new Set(keys.filter((key) => !logos.includes(key)));
  for (const { logoKey } of companies) if (logoKey !== null) referenced.add(logoKey);
  for (const key of logos)
    if (!referenced.has(key) && (await isUsedOnDocument(key.split('/')[0] ?? '', key))) referenced.add(key);
  return referenced;
}
