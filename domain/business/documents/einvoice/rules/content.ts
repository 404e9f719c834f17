import { isValid } from 'i18n-iso-countries/index';
import { isCurrencyCode } from '../../../currencies';
import { Decimal } from '../../../decimal';
import { isUnitCode } from '../unit-codes';
import type { ElectronicInvoice } from '../semantic-model';
import { lineRule, documentRule } from './rule';
import type { Rule } from './rule';

const hasText = (text: string | null): boolean => text !== null && text.trim() !== '';

const hasAddress = ({ address }: ElectronicInvoice['buyer']): boolean => Object.values(address).some(hasText);

/** BR-CL-14: ISO 3166-1 alpha-2. The standard's list also has Kosovo (1A) and Northern Ireland (XI). */
const isCountry = (code: string | null): boolean =>
  code !== null && /^[A-Z0-9]{2}$/.test(code) && (isValid(code) || code === '1A' || code === 'XI');

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Means of payment that need an account (UNTDID 4461). */
const CREDIT_TRANSFERS = new Set(['30', '58']);

/** Rules on required content (BR-*) and on codes (BR-CL-*). */
export const CONTENT_RULES: readonly Rule[] = [
  documentRule('BR-02', 'number', 'the document needs a number (BT-1)', ({ number }) => hasText(number)),
  documentRule('BR-03', 'issueDate', 'the document needs an issue date (BT-2)', ({ issueDate }) =>
    DATE.test(issueDate),
  ),
  documentRule('BR-05', 'currencyCode', 'the document needs a currency (BT-5)', ({ currencyCode }) =>
    hasText(currencyCode),
  ),
  documentRule('BR-06', 'company.legalName', 'the seller needs a name (BT-27)', ({ seller }) => hasText(seller.name)),
  documentRule('BR-07', 'customer.name', 'the buyer needs a name (BT-44)', ({ buyer }) => hasText(buyer.name)),
  documentRule('BR-08', 'company.address', 'the seller needs a postal address (BG-5)', ({ seller }) =>
    hasAddress(seller),
  ),
  documentRule('BR-09', 'company.address.country', 'the seller’s address needs a country (BT-40)', ({ seller }) =>
    hasText(seller.address.country),
  ),
  documentRule('BR-10', 'customer.address', 'the buyer needs a postal address (BG-8)', ({ buyer }) =>
    hasAddress(buyer),
  ),
  documentRule('BR-11', 'customer.address.country', 'the buyer’s address needs a country (BT-55)', ({ buyer }) =>
    hasText(buyer.address.country),
  ),
  documentRule('BR-16', 'lines', 'the document needs at least one line (BG-25)', ({ lines }) => lines.length > 0),
  lineRule('BR-21', 'lineId', 'every line needs an identifier (BT-126)', ({ id }) => hasText(id)),
  lineRule('BR-22', 'quantity', 'every line needs a quantity (BT-129)', ({ quantity }) => hasText(quantity)),
  lineRule('BR-23', 'unit', 'every line needs a unit (BT-130)', ({ unit }) => hasText(unit)),
  lineRule('BR-25', 'description', 'every line needs a name of its item (BT-153)', ({ name }) => hasText(name)),
  lineRule(
    'BR-27',
    'unitPrice',
    'the price of an item without tax (BT-146) must not be negative',
    ({ price }) => !new Decimal(price).isNegative(),
  ),
  lineRule('BR-42', 'discountPercent', 'a discount needs a reason (BT-139)', ({ adjustments }) =>
    adjustments.every(({ type, reason }) => type === 'charge' || hasText(reason)),
  ),
  lineRule('BR-44', 'adjustments', 'a charge needs a reason (BT-144)', ({ adjustments }) =>
    adjustments.every(({ type, reason }) => type === 'discount' || hasText(reason)),
  ),
  documentRule('BR-33', 'adjustments', 'a discount needs a reason (BT-97)', ({ adjustments }) =>
    adjustments.every(({ type, reason }) => type === 'charge' || hasText(reason)),
  ),
  documentRule('BR-38', 'adjustments', 'a charge needs a reason (BT-104)', ({ adjustments }) =>
    adjustments.every(({ type, reason }) => type === 'discount' || hasText(reason)),
  ),
  documentRule(
    'BR-50',
    'company.iban',
    'a credit transfer needs an account (BT-84)',
    ({ payment }) => payment === null || !CREDIT_TRANSFERS.has(payment.meansCode) || hasText(payment.account),
  ),
  documentRule(
    'BR-53',
    'currencyCode',
    'a tax currency (BT-6) needs the tax in it (BT-111)',
    ({ taxCurrencyCode, totals }) => taxCurrencyCode === null || totals.taxInTaxCurrency !== null,
  ),
  documentRule('BR-55', 'invoiceId', 'the preceding invoice needs its number (BT-25)', ({ precedingInvoices }) =>
    precedingInvoices.every(({ number }) => hasText(number)),
  ),
  documentRule('BR-CL-04', 'currencyCode', 'the currency (BT-5) must be one of ISO 4217', ({ currencyCode }) =>
    isCurrencyCode(currencyCode),
  ),
  documentRule(
    'BR-CL-05',
    'company.baseCurrencyCode',
    'the tax currency (BT-6) must be one of ISO 4217',
    ({ taxCurrencyCode }) => taxCurrencyCode === null || isCurrencyCode(taxCurrencyCode),
  ),
  documentRule(
    'BR-CL-14',
    'company.address.country',
    'the seller’s country (BT-40) must be one of ISO 3166-1 alpha-2',
    ({ seller: { address } }) => !hasText(address.country) || isCountry(address.country),
  ),
  documentRule(
    'BR-CL-14',
    'customer.address.country',
    'the buyer’s country (BT-55) must be one of ISO 3166-1 alpha-2',
    ({ buyer: { address } }) => !hasText(address.country) || isCountry(address.country),
  ),
  lineRule(
    'BR-CL-23',
    'unit',
    'the unit (BT-130) must be one of UN/ECE Recommendations 20 and 21',
    ({ unit }) => !hasText(unit) || isUnitCode(unit),
  ),
];
