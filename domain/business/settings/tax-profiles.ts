import type { DocumentLanguage, PostalAddress } from '../invoices/invoice';
import { parseVatIdentifier } from '../documents/einvoice/identifiers';
import { isUnionMember } from './countries';
import { VAT_VALIDATORS } from './vat-validators';

/** How supplies to a customer, or purchases from a vendor, are taxed. */
export const TAX_PROFILES = [
  'domestic',
  'intra_community',
  'reverse_charge',
  'export',
  'exempt',
  'small_business',
] as const;
export type TaxProfile = (typeof TAX_PROFILES)[number];

/** What a rate of a profile applies to; null for everything. */
export const TAX_RATE_SCOPES = ['goods', 'service'] as const;
export type TaxRateScope = (typeof TAX_RATE_SCOPES)[number];

/** Name and exemption reason of a tax rate in a language of documents. */
export interface TaxTexts {
  name: string;
  exemptionReason: string | null;
}

export type TaxTranslations = Partial<Record<DocumentLanguage, TaxTexts>>;

/** Texts of a rate in the language of a document; those of the rate itself if it has no translation. */
export const getTaxTexts = (
  rate: TaxTexts & { translations?: TaxTranslations | null },
  language: DocumentLanguage,
): TaxTexts => rate.translations?.[language] ?? { name: rate.name, exemptionReason: rate.exemptionReason };

/** The party of a document, as far as its tax depends on it. */
export interface TaxedParty {
  /** Set for this party; null derives the profile from its country and VAT identifier. */
  taxProfile?: TaxProfile | null;
  taxId: string | null;
  /** Day on which the company confirmed the VAT identifier itself. */
  taxIdVerifiedOn?: string | null;
  /** The verification of the VAT identifier by VIES. */
  taxIdVerification?: { status: string } | null;
  address: Pick<PostalAddress, 'country'>;
}

const NO_COUNTRY = { country: null };

/** Greece has the prefix EL, and Northern Ireland XI, which for goods counts as a part of the Union. */
const PREFIX_COUNTRIES: Readonly<Record<string, string>> = { EL: 'GR' };

/**
 * Whether a number is a VAT identifier of a member state with correct structure and check digits. The number may be
 * unassigned: only a register such as VIES knows.
 */
export function isUnionVatIdentifier(taxId: string | null): boolean {
  const identifier = parseVatIdentifier(taxId, NO_COUNTRY);
  if (identifier === null) return false;
  const country = PREFIX_COUNTRIES[identifier.slice(0, 2)] ?? identifier.slice(0, 2);
  if (!isUnionMember(country)) return false;
  const validator = VAT_VALIDATORS[country];
  try {
    return validator?.validate(identifier.slice(2)).isValid ?? false;
  } catch {
    // Some validators throw on malformed input.
    return false;
  }
}

/** Whether the VAT identifier of a party was found valid by VIES, or confirmed by the company. */
const hasVerifiedTaxId = ({ taxIdVerifiedOn, taxIdVerification }: TaxedParty): boolean =>
  taxIdVerifiedOn != null || taxIdVerification?.status === 'valid';

/**
 * Determines how a party is taxed: as set for it, else by its country. Within the Union a party is taxed as a business
 * only if its VAT identifier was verified; otherwise domestic tax is charged. A company whose own country is unknown
 * taxes everything as domestic.
 * @param country country of the company
 */
export function determineTaxProfile(country: string | null, party: TaxedParty, scope: TaxRateScope): TaxProfile {
  if (party.taxProfile != null) {
    // Services within the Union are taxed by reverse charge: intra-Community supplies are goods.
    return party.taxProfile === 'intra_community' && scope === 'service' ? 'reverse_charge' : party.taxProfile;
  }
  const abroad = party.address.country;
  if (country === null || abroad === null || abroad === country) return 'domestic';
  if (!isUnionMember(country) || !isUnionMember(abroad)) return 'export';
  if (!hasVerifiedTaxId(party) || parseVatIdentifier(party.taxId, NO_COUNTRY) === null) return 'domestic';
  return scope === 'goods' ? 'intra_community' : 'reverse_charge';
}

/** A line of a draft, as stored. */
interface StoredDraftLine {
  lineId: number;
  productId: number;
  taxRateId: number;
}

/** A line of a draft in a request; `lineId` names the stored one. */
interface ChangedDraftLine {
  lineId?: number | undefined;
  productId: number;
  taxRateId?: number | undefined;
}

/**
 * The lines of a draft whose party changes, without the tax rates that were the default for the party before and that the
 * request leaves as they are: the profile of the new party selects others.
 * @param isDefault whether a stored line has the default rate for the party before
 */
export const dropDefaultRates = <Stored extends StoredDraftLine, Line extends ChangedDraftLine>(
  lines: readonly Line[],
  stored: readonly Stored[],
  isDefault: (line: Stored) => boolean,
): Line[] =>
  lines.map((line) => {
    const before = stored.find(({ lineId, productId }) => lineId === line.lineId && productId === line.productId);
    return before !== undefined && before.taxRateId === line.taxRateId && isDefault(before)
      ? { ...line, taxRateId: undefined }
      : line;
  });

/** A rate that a profile can select. */
export interface ProfiledRate {
  id: number;
  active: boolean;
  profile?: TaxProfile | null;
  appliesTo?: TaxRateScope | null;
}

/**
 * Selects the active rate of a profile for goods or services; one for either is second choice. Null if there is none.
 * Of several, the first created.
 */
export function findProfileRate<T extends ProfiledRate>(
  rates: Iterable<T>,
  profile: TaxProfile,
  scope: TaxRateScope,
): T | null {
  const suitable = [...rates].filter((rate) => rate.active && rate.profile === profile).sort((a, b) => a.id - b.id);
  return (
    suitable.find(({ appliesTo }) => appliesTo === scope) ?? suitable.find(({ appliesTo }) => appliesTo == null) ?? null
  );
}

/** The problem of a line for which no rate can be selected. */
export const NO_DEFAULT_RATE =
  'is required: the company has no default tax rate; choose the rates of its country with POST /api/config/tax-sets';

/**
 * Selects the rate of a line that names none: that of the party's profile, else the product's, else the company's. A
 * derived profile for which the company has no rate counts as domestic; one that is set for the party does not.
 */
export function selectDefaultRate<T extends ProfiledRate>(
  rates: ReadonlyMap<number, T>,
  company: { country: string | null; defaultTaxRateId: number | null },
  party: TaxedParty | null,
  line: { productTaxRateId: number | null; scope: TaxRateScope },
): { taxRateId: number } | { problem: string } {
  const companyRate = company.defaultTaxRateId === null ? undefined : rates.get(company.defaultTaxRateId);
  const domesticId = line.productTaxRateId ?? company.defaultTaxRateId;
  const domestic = domesticId === null ? { problem: NO_DEFAULT_RATE } : { taxRateId: domesticId };
  // A small business charges no tax to anyone, unless the product says otherwise.
  if (party === null || (companyRate?.profile === 'small_business' && party.taxProfile == null)) return domestic;
  const profile = determineTaxProfile(company.country, party, line.scope);
  if (profile === 'domestic') return domestic;
  const rate = findProfileRate(rates.values(), profile, line.scope);
  if (rate !== null) return { taxRateId: rate.id };
  if (party.taxProfile == null) return domestic;
  return {
    problem: `is required: the company has no tax rate with profile ${profile} for ${line.scope === 'goods' ? 'goods' : 'services'}`,
  };
}
