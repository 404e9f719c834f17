import { isCurrencyCode } from '../../../domain/business/currencies';
import { isTimeZone } from '../../../domain/business/calendar';
import type { CompletenessMode } from '../../../domain/business/documents/mandatory-details';
import type { DocumentLanguage, LegalDetails, PostalAddress } from '../../../domain/business/invoices/invoice';
import { Decimal } from '../../../domain/business/decimal';
import { buildSearchTokens } from '../../../domain/business/search-tokens';
import { invalidFieldError } from '../../../domain/errors';
import { isDuplicateKeyError } from '../../../lib/mongo';
import { EMPTY_ADDRESS } from '../../../models/business/parties/address';
import { Company } from '../../../models/business/settings/company';
import type { CompanyRecord } from '../../../models/business/settings/company';
import { Currency } from '../../../models/business/settings/currency';
import { toDecimal128 } from '../../../models/business/decimal128';
import { DocumentSeries } from '../../../models/business/settings/document-series';
import { Posting } from '../../../models/business/documents/posting';
import { TaxRate } from '../../../models/business/settings/tax-rate';
import { Warehouse } from '../../../models/business/stock/warehouse';
import { reserveNumber } from '../../platform/transactions/counters';
import type { Platform } from '../../platform/platform';
import { runTransaction } from '../../platform/transactions/unit-of-work';

/** The settings of a new company; all but the name have defaults. */
export interface BusinessDefaults {
  legalName: string;
  /** IANA name. @default 'UTC' */
  timeZone?: string;
  /** ISO 4217 code. @default 'EUR' */
  baseCurrencyCode?: string;
  /** @default 'en' */
  language?: DocumentLanguage;
  /** Percent of the default tax rate. @default no rate, until the set of a country is chosen */
  taxPercent?: string;
  /** @default 'Standard rate' */
  taxName?: string;
  /** @default 'on' */
  completenessChecks?: CompletenessMode;
  taxId?: string;
  address?: Partial<PostalAddress>;
  email?: string;
  phone?: string;
  website?: string;
  bankName?: string;
  iban?: string;
  bic?: string;
}

const SEQUENCE_DIGITS = 6;

const EMPTY_LEGAL_DETAILS: LegalDetails = {
  legalForm: null,
  taxNumber: null,
  registerName: null,
  managingDirectors: [],
  shareCapital: null,
  accountNumber: null,
  routingNumber: null,
  paymentNote: null,
  electronicAddress: null,
};

interface DefaultIds {
  currencyId: number;
  taxRateId: number | null;
  warehouseId: number;
  invoiceSeriesId: number;
  creditNoteSeriesId: number;
}

function buildCompanyRecord(
  organisationId: string,
  input: BusinessDefaults,
  ids: DefaultIds,
  now: Date,
): CompanyRecord {
  return {
    _id: organisationId,
    legalName: input.legalName,
    taxId: input.taxId ?? null,
    registrationNumber: null,
    ...EMPTY_LEGAL_DETAILS,
    address: { ...EMPTY_ADDRESS, ...input.address },
    email: input.email ?? null,
    phone: input.phone ?? null,
    website: input.website ?? null,
    bankName: input.bankName ?? null,
    iban: input.iban ?? null,
    bic: input.bic ?? null,
    logoKey: null,
    timeZone: input.timeZone ?? 'UTC',
    baseCurrencyCode: input.baseCurrencyCode ?? 'EUR',
    language: input.language ?? 'en',
    taxRounding: 'per_rate',
    eInvoicing: 'off',
    completenessChecks: input.completenessChecks ?? 'on',
    defaultDeliveryDate: 'none',
    defaultTaxRateId: ids.taxRateId,
    defaultPaymentTerms: 'NET30',
    defaultWarehouseId: ids.warehouseId,
    defaultSeriesId: ids.invoiceSeriesId,
    maxExchangeRateAgeDays: 7,
    overReceiptTolerancePercent: toDecimal128(new Decimal(0)),
    overBillingTolerancePercent: toDecimal128(new Decimal(0)),
    writeOffLimit: toDecimal128(new Decimal(0)),
    defaultsGuard: 0,
    version: 1,
    createdAt: now,
    updatedAt: now,
  };
}

async function insertDefaults(platform: Platform, organisationId: string, input: BusinessDefaults): Promise<void> {
  const ids: DefaultIds = {
    currencyId: await reserveNumber(organisationId, 'currencies'),
    taxRateId: input.taxPercent === undefined ? null : await reserveNumber(organisationId, 'tax-rates'),
    warehouseId: await reserveNumber(organisationId, 'warehouses'),
    invoiceSeriesId: await reserveNumber(organisationId, 'document-series'),
    creditNoteSeriesId: await reserveNumber(organisationId, 'document-series'),
  };
  const now = platform.clock.now();
  const commonFields = { organisationId, active: true, version: 1, createdAt: now, updatedAt: now };
  const series = { ...commonFields, padding: SEQUENCE_DIGITS };
  await runTransaction(platform, async ({ mongoSession }) => {
    await Company.create([buildCompanyRecord(organisationId, input, ids, now)], { session: mongoSession });
    await Posting.create([{ _id: organisationId, lockedThrough: null, version: 0, series: {} }], {
      session: mongoSession,
    });
    const code = input.baseCurrencyCode ?? 'EUR';
    await Currency.create([{ ...commonFields, id: ids.currencyId, code, tokens: buildSearchTokens([code]) }], {
      session: mongoSession,
    });
    if (ids.taxRateId !== null) {
      const name = input.taxName ?? 'Standard rate';
      const percent = toDecimal128(new Decimal(input.taxPercent ?? '0'));
      const terms = { id: ids.taxRateId, name, percent, category: 'S', tokens: buildSearchTokens([name]) } as const;
      await TaxRate.create([{ ...commonFields, ...terms }], { session: mongoSession });
    }
    const main = { code: 'MAIN', name: 'Main warehouse', tokens: buildSearchTokens(['MAIN', 'Main warehouse']) };
    await Warehouse.create([{ ...commonFields, ...main, id: ids.warehouseId }], { session: mongoSession });
    await DocumentSeries.create(
      [
        {
          ...series,
          id: ids.invoiceSeriesId,
          documentType: 'invoice',
          prefix: 'INV',
          tokens: buildSearchTokens(['INV']),
        },
        {
          ...series,
          id: ids.creditNoteSeriesId,
          documentType: 'credit_note',
          prefix: 'CN',
          tokens: buildSearchTokens(['CN']),
        },
      ],
      { session: mongoSession, ordered: true },
    );
  });
}

/**
 * Creates the records that the first invoice of an organisation requires: company, base currency, warehouse, the series of
 * invoices and credit notes, the posting record and, if a percentage is given, a tax rate. Idempotent; returns the existing
 * company.
 * @throws AppError 400 for an unknown time zone or currency
 */
export async function ensureBusinessDefaults(
  platform: Platform,
  organisationId: string,
  input: BusinessDefaults,
): Promise<CompanyRecord> {
  const existing = await Company.findById(organisationId).lean<CompanyRecord>();
  if (existing !== null) return existing;
  if (input.timeZone !== undefined && !isTimeZone(input.timeZone))
    throw invalidFieldError('timeZone', 'accepts an IANA time zone such as Europe/Berlin');
  if (input.baseCurrencyCode !== undefined && !isCurrencyCode(input.baseCurrencyCode))
    throw invalidFieldError('baseCurrencyCode', 'accepts an ISO 4217 currency');
  try {
    await insertDefaults(platform, organisationId, input);
  } catch (error) {
    // Of two concurrent first uses, the second one finds the records of the first.
    if (!isDuplicateKeyError(error)) throw error;
  }
  const company = await Company.findById(organisationId).lean<CompanyRecord>();
  if (company === null) throw new Error('the company that was just created does not exist');
  return company;
}
