import type { BusinessBody, BusinessResponse } from '../../../../clients/typescript/src/calls';

export type Company = BusinessResponse<'getCompany'>['data'];
export type CompanyBody = BusinessBody<'updateCompany'>;

/** Fields of one line of text by the part of the form that has them; an empty one is stored as null. */
export const TEXT_FIELDS = {
  registration: ['legalForm', 'registerName', 'registrationNumber', 'taxNumber', 'taxId'],
  contact: ['email', 'phone', 'website', 'electronicAddress'],
  bank: ['bankName', 'iban', 'bic', 'accountNumber', 'routingNumber', 'paymentNote'],
} as const;

type TextField = (typeof TEXT_FIELDS)[keyof typeof TEXT_FIELDS][number];

const ALL_TEXT_FIELDS: readonly TextField[] = Object.values(TEXT_FIELDS).flat();
const ADDRESS_FIELDS = ['line1', 'line2', 'postalCode', 'city', 'region', 'country'] as const;
const NUMBER_FIELDS = ['maxExchangeRateAgeDays', 'overReceiptTolerancePercent', 'overBillingTolerancePercent'] as const;
const ID_FIELDS = ['defaultTaxRateId', 'defaultWarehouseId', 'defaultSeriesId'] as const;

type NumberField = (typeof NUMBER_FIELDS)[number];
type IdField = (typeof ID_FIELDS)[number];

/** What the form shows. Fields have the names of the API, so that its problems are shown at them. */
export interface CompanyValues
  extends
    Record<string, unknown>,
    Record<TextField, string>,
    Record<NumberField, number | string>,
    Record<IdField, string> {
  legalName: string;
  managingDirectors: string[];
  shareCapital: { amount: number | string; currencyCode: string };
  address: Record<(typeof ADDRESS_FIELDS)[number], string>;
  timeZone: string;
  baseCurrencyCode: string;
  language: string;
  defaultPaymentTerms: string;
  defaultDeliveryDate: string;
  taxRounding: string;
  eInvoicing: string;
  completenessChecks: string;
}

const readFields = <const F extends string, V>(fields: readonly F[], read: (field: F) => V): Record<F, V> =>
  Object.fromEntries(fields.map((field) => [field, read(field)])) as Record<F, V>;

/** What the form shows of the stored company; ids become texts, and null becomes an empty field. */
export const readValues = (company: Company): CompanyValues => ({
  ...readFields(ALL_TEXT_FIELDS, (field) => company[field] ?? ''),
  ...readFields(NUMBER_FIELDS, (field) => company[field]),
  ...readFields(ID_FIELDS, (field) => String(company[field] ?? '')),
  legalName: company.legalName,
  managingDirectors: company.managingDirectors,
  shareCapital: company.shareCapital ?? { amount: '', currencyCode: company.baseCurrencyCode },
  address: readFields(ADDRESS_FIELDS, (field) => company.address[field] ?? ''),
  timeZone: company.timeZone,
  baseCurrencyCode: company.baseCurrencyCode,
  language: company.language,
  defaultPaymentTerms: company.defaultPaymentTerms,
  defaultDeliveryDate: company.defaultDeliveryDate,
  taxRounding: company.taxRounding,
  eInvoicing: company.eInvoicing,
  completenessChecks: company.completenessChecks,
});

/** All fields of the form as the API expects them, where an empty field removes the stored value. */
export const toBody = (values: CompanyValues): CompanyBody => ({
  ...readFields(ALL_TEXT_FIELDS, (field) => values[field] || null),
  ...readFields(NUMBER_FIELDS, (field) => Number(values[field])),
  defaultTaxRateId: Number(values.defaultTaxRateId) || null,
  defaultWarehouseId: Number(values.defaultWarehouseId),
  defaultSeriesId: Number(values.defaultSeriesId),
  legalName: values.legalName,
  managingDirectors: values.managingDirectors,
  shareCapital:
    values.shareCapital.amount === ''
      ? null
      : { amount: Number(values.shareCapital.amount), currencyCode: values.shareCapital.currencyCode },
  address: readFields(ADDRESS_FIELDS, (field) => values.address[field] || null),
  timeZone: values.timeZone,
  baseCurrencyCode: values.baseCurrencyCode,
  // The choices of the form are those that the API accepts.
  language: values.language as CompanyBody['language'],
  defaultPaymentTerms: values.defaultPaymentTerms as CompanyBody['defaultPaymentTerms'],
  defaultDeliveryDate: values.defaultDeliveryDate as CompanyBody['defaultDeliveryDate'],
  taxRounding: values.taxRounding as CompanyBody['taxRounding'],
  eInvoicing: values.eInvoicing as CompanyBody['eInvoicing'],
  completenessChecks: values.completenessChecks as CompanyBody['completenessChecks'],
});
