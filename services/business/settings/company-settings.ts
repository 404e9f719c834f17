import type { EInvoicingMode } from '../../../domain/business/documents/einvoice/check';
import type { CompletenessMode } from '../../../domain/business/documents/mandatory-details';
import type { DefaultDeliveryDate } from '../../../domain/business/invoices/supply-dates';
import { isRoutingNumber, readBankDetails } from '../../../domain/business/payments/bank-details';
import { isTimeZone } from '../../../domain/business/calendar';
import type { Decimal } from '../../../domain/business/decimal';
import type { DocumentLanguage, PostalAddress } from '../../../domain/business/invoices/invoice';
import { changeTimeZone } from '../../../domain/business/settings/business-days';
import type { TaxRounding } from '../../../domain/business/invoices/invoice-calculation';
import type { PaymentTermsCode } from '../../../domain/business/payments/payment-terms';
import { conflictError, invalidRequestError, notFoundError } from '../../../domain/errors';
import type { FieldProblem } from '../../../domain/errors';
import { Company } from '../../../models/business/settings/company';
import type { CompanyRecord } from '../../../models/business/settings/company';
import { toDecimal128 } from '../../../models/business/decimal128';
import { ExchangeRate } from '../../../models/business/settings/exchange-rate';
import { Posting } from '../../../models/business/documents/posting';
import { StockLedger } from '../../../models/business/stock/stock';
import type { Platform } from '../../platform/platform';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import type { BusinessCaller } from '../access/caller';
import { rescheduleReminders } from '../messages/reminder-settings';
import { planTaxIdVerification, requestTaxIdVerification } from '../parties/tax-id-verifications';
import { omitUndefined } from '../records/records';
import { requireVersion } from '../../platform/transactions/versions';
import { computeToday } from './company';
import { findDefaultProblems } from './company-defaults';
import { ensureCurrency, reserveCurrencyNumber } from './currencies';

/** The fields that a client can set; undefined leaves a field as it is. */
export interface CompanyInput {
  legalName?: string | undefined;
  taxId?: string | null | undefined;
  registrationNumber?: string | null | undefined;
  legalForm?: string | null | undefined;
  taxNumber?: string | null | undefined;
  registerName?: string | null | undefined;
  managingDirectors?: string[] | undefined;
  shareCapital?: { amount: Decimal; currencyCode: string } | null | undefined;
  accountNumber?: string | null | undefined;
  routingNumber?: string | null | undefined;
  paymentNote?: string | null | undefined;
  electronicAddress?: string | null | undefined;
  address?: { [K in keyof PostalAddress]?: PostalAddress[K] | undefined } | undefined;
  email?: string | null | undefined;
  phone?: string | null | undefined;
  website?: string | null | undefined;
  bankName?: string | null | undefined;
  iban?: string | null | undefined;
  bic?: string | null | undefined;
  timeZone?: string | undefined;
  baseCurrencyCode?: string | undefined;
  language?: DocumentLanguage | undefined;
  taxRounding?: TaxRounding | undefined;
  eInvoicing?: EInvoicingMode | undefined;
  completenessChecks?: CompletenessMode | undefined;
  defaultDeliveryDate?: DefaultDeliveryDate | undefined;
  defaultTaxRateId?: number | null | undefined;
  defaultPaymentTerms?: PaymentTermsCode | undefined;
  defaultWarehouseId?: number | undefined;
  defaultSeriesId?: number | undefined;
  maxExchangeRateAgeDays?: number | undefined;
  /** Percentage by which a receipt may exceed the ordered quantity. */
  overReceiptTolerancePercent?: Decimal | undefined;
  /** Percentage by which a bill may exceed the received quantity. */
  overBillingTolerancePercent?: Decimal | undefined;
  /** Largest difference in base currency that can be written off. */
  writeOffLimit?: Decimal | undefined;
}

/** The problems of the fields by themselves, and the bank details in their stored form. */
function checkInput(input: CompanyInput): { input: CompanyInput; problems: FieldProblem[] } {
  const { iban, bic, problems } = readBankDetails(input);
  if (input.routingNumber != null && !isRoutingNumber(input.routingNumber))
    problems.push({ field: 'routingNumber', problem: 'must be a routing number of nine digits with its check digit' });
  if (input.timeZone !== undefined && !isTimeZone(input.timeZone))
    problems.push({ field: 'timeZone', problem: 'must be an IANA time zone, such as Europe/Berlin' });
  return { input: { ...input, iban, bic }, problems };
}

/**
 * Changes the base currency. All amounts of the ledgers are in the base currency, so there must be none. The exchange
 * rates to the old base currency are deleted.
 * @throws AppError 409 `base_currency_in_use`
 */
async function changeBaseCurrency(
  unit: UnitOfWork,
  caller: BusinessCaller,
  currency: { code: string; reservedId: number; now: Date },
): Promise<void> {
  const { organisationId } = caller;
  const unposted = await Posting.updateOne(
    { _id: organisationId, version: 0 },
    { $set: { baseCurrencyCode: currency.code } },
    { session: unit.mongoSession },
  );
  const hasStock = await StockLedger.exists({ organisationId }).session(unit.mongoSession);
  if (unposted.matchedCount === 0 || hasStock !== null)
    throw conflictError(
      'base_currency_in_use',
      'baseCurrencyCode: documents or stock have been posted in the base currency.',
      {
        fields: [{ field: 'baseCurrencyCode', problem: 'cannot change once documents or stock have been posted' }],
      },
    );
  await ensureCurrency(unit, caller, currency, 'activate');
  await ExchangeRate.deleteMany({ organisationId }, { session: unit.mongoSession });
}

/** The company with the fields that are sent. */
function applyInput(current: CompanyRecord, input: CompanyInput, now: Date): CompanyRecord {
  const {
    address,
    overReceiptTolerancePercent: overReceipt,
    overBillingTolerancePercent: overBilling,
    writeOffLimit,
    shareCapital,
    ...fields
  } = input;
  return {
    ...current,
    ...omitUndefined(fields),
    ...(overReceipt === undefined ? {} : { overReceiptTolerancePercent: toDecimal128(overReceipt) }),
    ...(overBilling === undefined ? {} : { overBillingTolerancePercent: toDecimal128(overBilling) }),
    ...(writeOffLimit === undefined ? {} : { writeOffLimit: toDecimal128(writeOffLimit) }),
    ...(shareCapital === undefined
      ? {}
      : { shareCapital: shareCapital && { ...shareCapital, amount: shareCapital.amount.toFixed() } }),
    ...(fields.timeZone === undefined || fields.timeZone === current.timeZone
      ? {}
      : changeTimeZone(current, computeToday(current, now), now)),
    address: { ...current.address, ...omitUndefined(address ?? {}) },
  };
}

/**
 * The company as {@link updateCompany} with the same fields would store it; writes nothing. Fields that refer to other
 * records are not checked.
 * @throws AppError 400 naming every wrong field
 */
export function previewCompany(current: CompanyRecord, sent: CompanyInput, now: Date): CompanyRecord {
  const { input, problems } = checkInput(sent);
  if (problems.length > 0) throw invalidRequestError(problems);
  return applyInput(current, input, now);
}

/** Has the new VAT identifier of the company verified. */
async function replaceVerification(unit: UnitOfWork, caller: BusinessCaller, changed: CompanyRecord): Promise<void> {
  const verification = planTaxIdVerification(unit.platform, { company: changed }, 'company', changed.taxId);
  changed.taxIdVerification = verification;
  if (verification !== null)
    await requestTaxIdVerification(unit, caller, { holder: 'company', holderId: null }, verification);
}

/**
 * Changes the fields that are sent. Issued documents do not change.
 * @param ifMatch version that the client has read; undefined: any version
 * @throws AppError 400 naming every wrong field, 409 `base_currency_in_use`, 412
 */
export async function updateCompany(
  platform: Platform,
  caller: BusinessCaller,
  sent: CompanyInput,
  ifMatch: number | undefined,
): Promise<CompanyRecord> {
  const { input, problems } = checkInput(sent);
  if (problems.length > 0) throw invalidRequestError(problems);
  const reservedId = input.baseCurrencyCode === undefined ? 0 : await reserveCurrencyNumber(caller);
  return changeCompany(platform, caller, ifMatch, Object.keys(omitUndefined(input)), async (current, now, unit) => {
    const changed = applyInput(current, input, now);
    if (changed.taxId !== current.taxId) await replaceVerification(unit, caller, changed);
    if (changed.timeZone !== current.timeZone) await rescheduleReminders(unit, caller.organisationId);
    const invalidDefaults = await findDefaultProblems(unit, changed);
    if (invalidDefaults.length > 0) throw invalidRequestError(invalidDefaults);
    if (changed.baseCurrencyCode !== current.baseCurrencyCode)
      await changeBaseCurrency(unit, caller, { code: changed.baseCurrencyCode, reservedId, now });
    return changed;
  });
}

/** Reads, changes and writes the company with its audit row in one transaction. @throws AppError 404, 412 */
export async function changeCompany(
  platform: Platform,
  caller: BusinessCaller,
  ifMatch: number | undefined,
  fields: string[],
  change: (current: CompanyRecord, now: Date, unit: UnitOfWork) => CompanyRecord | Promise<CompanyRecord>,
): Promise<CompanyRecord> {
  const { organisationId } = caller;
  return runTransaction(platform, async (unit) => {
    const current = await Company.findById(organisationId).session(unit.mongoSession).lean<CompanyRecord>();
    if (current === null) throw notFoundError('company');
    requireVersion(current.version, ifMatch);
    const now = platform.clock.now();
    const changed = await change(current, now, unit);
    const next = { ...changed, version: current.version + 1, updatedAt: now };
    await Company.replaceOne({ _id: organisationId, version: current.version }, next, { session: unit.mongoSession });
    await unit.audit(caller, { actor: caller.id, action: 'company.updated', subject: 'company', fields });
    return next;
  });
}
