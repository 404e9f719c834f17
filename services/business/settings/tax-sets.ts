import { Types } from 'mongoose';
import { Decimal } from '../../../domain/business/decimal';
import type { DocumentLanguage } from '../../../domain/business/invoices/invoice';
import type { TaxComponent } from '../../../domain/business/invoices/tax-components';
import { buildSearchTokens } from '../../../domain/business/search-tokens';
import { getTaxSet, TAX_SET_COUNTRIES } from '../../../domain/business/settings/tax-sets';
import type { TaxSetRate } from '../../../domain/business/settings/tax-sets';
import { invalidFieldError } from '../../../domain/errors';
import { fromDecimal128, toDecimal128 } from '../../../models/business/decimal128';
import { Company } from '../../../models/business/settings/company';
import { TaxRate } from '../../../models/business/settings/tax-rate';
import type { TaxRateRecord } from '../../../models/business/settings/tax-rate';
import { reserveNumber } from '../../platform/transactions/counters';
import type { Platform } from '../../platform/platform';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import type { BusinessCaller } from '../access/caller';

export interface TaxSetInput {
  /** ISO 3166-1 alpha-2. @default the country of the company's address */
  country?: string | undefined;
  /** Whether the company charges no VAT as a small business. @default false */
  smallBusiness?: boolean | undefined;
}

export interface AppliedTaxSet {
  country: string;
  /** The rates of the set, with those that existed before; the first is the default of the company. */
  taxRates: TaxRateRecord[];
}

/** The taxes of a rate in a form that can be compared; undefined for one tax. */
const listTaxes = ({ components }: { components?: readonly TaxComponent[] | null }): string | undefined =>
  components == null
    ? undefined
    : JSON.stringify(components.map(({ name, percent }) => [name, new Decimal(percent).toFixed()]));

const isEqualRate = (record: TaxRateRecord, rate: TaxSetRate): boolean =>
  record.active &&
  record.category === rate.category &&
  fromDecimal128(record.percent).eq(rate.percent) &&
  listTaxes(record) === listTaxes(rate) &&
  (record.profile ?? 'domestic') === rate.profile &&
  (record.appliesTo ?? null) === rate.appliesTo;

const buildRecord = (
  organisationId: string,
  rate: TaxSetRate,
  language: DocumentLanguage,
  id: number,
  now: Date,
): TaxRateRecord => ({
  _id: new Types.ObjectId(),
  organisationId,
  id,
  ...rate.texts[language],
  percent: toDecimal128(new Decimal(rate.percent)),
  category: rate.category,
  profile: rate.profile,
  appliesTo: rate.appliesTo,
  components: rate.components ? [...rate.components] : null,
  translations: rate.texts,
  validFrom: null,
  validTo: null,
  successorId: null,
  active: true,
  tokens: buildSearchTokens([rate.texts[language].name]),
  version: 1,
  createdAt: now,
  updatedAt: now,
});

/** @throws AppError 400 if there is no set for the country */
function requireTaxSet(country: string | null, smallBusiness: boolean): { country: string; rates: TaxSetRate[] } {
  const rates = country === null ? null : getTaxSet(country, smallBusiness);
  if (country === null || rates === null)
    throw invalidFieldError('country', `must be one of ${TAX_SET_COUNTRIES.join(', ')}; create other rates one by one`);
  return { country, rates };
}

/**
 * Creates the tax rates of a country that the company does not have yet, and makes the first of them its default.
 * Applied again, it creates nothing.
 * @throws AppError 400 if there is no set for the country
 */
export async function applyTaxSet(
  platform: Platform,
  caller: BusinessCaller,
  input: TaxSetInput,
): Promise<AppliedTaxSet> {
  const { organisationId, company } = caller;
  const { country, rates } = requireTaxSet(input.country ?? company.address.country, input.smallBusiness ?? false);
  const firstId = await reserveNumber(organisationId, 'tax-rates', rates.length);
  return runTransaction(platform, async (unit) => {
    const { mongoSession } = unit;
    const now = platform.clock.now();
    // Written first, so that of two requests at the same time the second sees the rates of the first.
    await Company.updateOne({ _id: organisationId }, { $inc: { defaultsGuard: 1 } }, { session: mongoSession });
    const existing = await TaxRate.find({ organisationId }).session(mongoSession).lean<TaxRateRecord[]>();
    const taxRates = rates.map(
      (rate, index) =>
        existing.find((record) => isEqualRate(record, rate)) ??
        buildRecord(organisationId, rate, company.language, firstId + index, now),
    );
    const created = taxRates.filter((rate) => !existing.includes(rate));
    if (created.length > 0) await TaxRate.insertMany(created, { session: mongoSession });
    await Company.updateOne(
      { _id: organisationId },
      { $set: { defaultTaxRateId: taxRates[0]?.id ?? null, updatedAt: now }, $inc: { version: 1 } },
      { session: mongoSession },
    );
    await unit.audit(caller, {
      actor: caller.id,
      action: 'company.updated',
      subject: 'company',
      fields: ['defaultTaxRateId'],
    });
    return { country, taxRates };
  });
}
