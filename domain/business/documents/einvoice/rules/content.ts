import { isValid } from 'i18n-iso-countries';
import { isCurrencyCode } from '../../../currencies';
import { Decimal } from '../../../decimal';
import { isUnitCode } from '../unit-codes';
import type { ElectronicInvoice } from '../semantic-model';
import { everyLine, whole } from './rule';
import type { Rule } from './rule';

const written = (text: string | null): boolean => text !== null && text.trim() !== '';

const hasAddress = ({ address }: ElectronicInvoice['buyer']): boolean => Object.values(address).some(written);

/** BR-CL-14: ISO 3166-1 alpha-2. The standard's list also holds Kosovo (1A) and Northern Ireland (XI). */
const isCountry = (code: string | null): boolean =>
  code !== null && /^[A-Z0-9]{2}$/.test(code) && (isValid(code) || code === '1A' || code === 'XI');

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** What a document must say at all (BR-*), and the codes it may say it with (BR-CL-*). */
export const CONTENT_RULES: readonly Rule[] = [
  whole('BR-02', 'number', 'the document needs a number (BT-1)', ({ number }) => written(number)),
  whole('BR-03', 'issueDate', 'the document needs an issue date (BT-2)', ({ issueDate }) => DATE.test(issueDate)),
  whole('BR-05', 'currencyCode', 'the document needs a currency (BT-5)', ({ currencyCode }) => written(currencyCode)),
  whole('BR-06', 'company.legalName', 'the seller needs a name (BT-27)', ({ seller }) => written(seller.name)),
  whole('BR-07', 'customer.name', 'the buyer needs a name (BT-44)', ({ buyer }) => written(buyer.name)),
  whole('BR-08', 'company.address', 'the seller needs a postal address (BG-5)', ({ seller }) => hasAddress(seller)),
  whole('BR-09', 'company.address.country', 'the seller’s address needs a country (BT-40)', ({ seller }) =>
    written(seller.address.country),
  ),
  whole('BR-10', 'customer.address', 'the buyer needs a postal address (BG-8)', ({ buyer }) => hasAddress(buyer)),
  whole('BR-11', 'customer.address.country', 'the buyer’s address needs a country (BT-55)', ({ buyer }) =>
    written(buyer.address.country),
  ),
  whole('BR-16', 'lines', 'the document needs at least one line (BG-25)', ({ lines }) => lines.length > 0),
  everyLine('BR-21', 'lineId', 'every line needs an identifier (BT-126)', ({ id }) => written(id)),
  everyLine('BR-22', 'quantity', 'every line needs a quantity (BT-129)', ({ quantity }) => written(quantity)),
  everyLine('BR-23', 'unit', 'every line needs a unit (BT-130)', ({ unit }) => written(unit)),
  everyLine('BR-25', 'description', 'every line needs a name of its item (BT-153)', ({ name }) => written(name)),
  everyLine(
    'BR-27',
    'unitPrice',
    'the price of an item without tax (BT-146) must not be negative',
    ({ price }) => !new Decimal(price).isNegative(),
  ),
  everyLine(
    'BR-42',
    'discountPercent',
    'a discount needs a reason (BT-139)',
    ({ discount }) => discount === null || written(discount.reason),
  ),
  whole(
    'BR-50',
    'company.iban',
    'a credit transfer needs an account (BT-84)',
    ({ payment }) => payment === null || written(payment.account),
  ),
  whole(
    'BR-53',
    'currencyCode',
    'a tax currency (BT-6) needs the tax in it (BT-111)',
    ({ taxCurrencyCode, totals }) => taxCurrencyCode === null || totals.taxInTaxCurrency !== null,
  ),
  whole(
    'BR-55',
    'invoiceId',
    'the preceding invoice needs its number (BT-25)',
    ({ precedingInvoice }) => precedingInvoice === null || written(precedingInvoice.number),
  ),
  whole(
    'BR-57',
    'customer.address.country',
    'the place of delivery needs a country (BT-80)',
    ({ delivery }) => delivery === null || written(delivery.country),
  ),
  whole('BR-CL-04', 'currencyCode', 'the currency (BT-5) must be one of ISO 4217', ({ currencyCode }) =>
    isCurrencyCode(currencyCode),
  ),
  whole(
    'BR-CL-05',
    'company.baseCurrencyCode',
    'the tax currency (BT-6) must be one of ISO 4217',
    ({ taxCurrencyCode }) => taxCurrencyCode === null || isCurrencyCode(taxCurrencyCode),
  ),
  whole(
    'BR-CL-14',
    'company.address.country',
    'the seller’s country (BT-40) must be one of ISO 3166-1 alpha-2',
    ({ seller: { address } }) => !written(address.country) || isCountry(address.country),
  ),
  whole(
    'BR-CL-14',
    'customer.address.country',
    'the buyer’s country (BT-55) must be one of ISO 3166-1 alpha-2',
    ({ buyer: { address } }) => !written(address.country) || isCountry(address.country),
  ),
  everyLine(
    'BR-CL-23',
    'unit',
    'the unit (BT-130) must be one of UN/ECE Recommendations 20 and 21',
    ({ unit }) => !written(unit) || isUnitCode(unit),
  ),
];
