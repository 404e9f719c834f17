import { z } from 'zod';
import { E_INVOICING_MODES } from '../../../domain/business/documents/einvoice/check';
import { COMPLETENESS_MODES } from '../../../domain/business/documents/mandatory-details';
import { DEFAULT_DELIVERY_DATES } from '../../../domain/business/invoices/supply-dates';
import { Decimal } from '../../../domain/business/decimal';
import type { CompanyRecord } from '../../../models/business/settings/company';
import {
  addressInput,
  addressSchema,
  amount,
  currencyCode,
  electronicAddress,
  email,
  exampleAddress,
  instant,
  language,
  line,
  paragraph,
  paymentTerms,
  percent,
  readOnlyField,
  recordId,
} from '../fields';
import { exampleTaxIdVerification, presentHolderVerification, taxIdVerificationSchema } from '../parties/tax-id-fields';

/** The fields of the company in requests and responses. */

const TAX_ROUNDINGS = ['per_rate', 'per_line'] as const;
export const LOGO_PATH = '/api/config/company/logo';

export const companySchema = z.object({
  legalName: z.string(),
  taxId: z.string().nullable(),
  registrationNumber: z.string().nullable(),
  legalForm: z.string().nullable(),
  taxNumber: z.string().nullable(),
  registerName: z.string().nullable(),
  managingDirectors: z.array(z.string()),
  shareCapital: z.object({ amount: z.number(), currencyCode: z.string() }).nullable(),
  address: addressSchema,
  email: z.string().nullable(),
  phone: z.string().nullable(),
  website: z.string().nullable(),
  bankName: z.string().nullable(),
  iban: z.string().nullable(),
  bic: z.string().nullable(),
  accountNumber: z.string().nullable(),
  routingNumber: z.string().nullable(),
  paymentNote: z.string().nullable(),
  electronicAddress: z.string().nullable(),
  logo: z.string().nullable().meta({ description: 'Path of the logo; null if there is none.' }),
  timeZone: z.string(),
  baseCurrencyCode: z.string(),
  language: z.string(),
  taxRounding: z.enum(TAX_ROUNDINGS),
  eInvoicing: z.enum(E_INVOICING_MODES),
  completenessChecks: z.enum(COMPLETENESS_MODES),
  defaultDeliveryDate: z.enum(DEFAULT_DELIVERY_DATES),
  defaultTaxRateId: z.number().int().nullable().meta({ description: 'Null until the rates of a country are chosen.' }),
  defaultPaymentTerms: z.string(),
  defaultWarehouseId: z.number().int(),
  defaultSeriesId: z.number().int(),
  maxExchangeRateAgeDays: z.number().int(),
  overReceiptTolerancePercent: z
    .number()
    .meta({ description: 'Percentage by which a receipt may exceed the ordered quantity.' }),
  overBillingTolerancePercent: z
    .number()
    .meta({ description: 'Percentage by which a bill may exceed the quantity received with its receipts.' }),
  writeOffLimit: z
    .number()
    .meta({ description: 'Largest difference in base currency that can be written off; 0: none.' }),
  taxIdVerification: taxIdVerificationSchema
    .nullable()
    .meta({ description: 'Verification of the VAT identifier by VIES; null if there was none.' }),
  createdAt: instant,
  updatedAt: instant,
});

export const exampleCompany = {
  legalName: 'Example GmbH',
  taxId: 'DE123456789',
  registrationNumber: 'HRB 12345',
  legalForm: 'GmbH',
  taxNumber: null,
  registerName: 'Amtsgericht Berlin-Charlottenburg',
  managingDirectors: ['Erika Mustermann'],
  shareCapital: { amount: 25000, currencyCode: 'EUR' },
  address: exampleAddress,
  email: 'billing@example.com',
  phone: null,
  website: 'https://example.com',
  bankName: 'Example Bank',
  iban: 'DE89370400440532013000',
  bic: 'COBADEFFXXX',
  accountNumber: null,
  routingNumber: null,
  paymentNote: null,
  electronicAddress: '0204:991-33333TEST-33',
  logo: LOGO_PATH,
  timeZone: 'Europe/Berlin',
  baseCurrencyCode: 'EUR',
  language: 'de',
  taxRounding: 'per_rate',
  eInvoicing: 'off',
  completenessChecks: 'on',
  defaultDeliveryDate: 'none',
  defaultTaxRateId: 1,
  defaultPaymentTerms: 'NET30',
  defaultWarehouseId: 1,
  defaultSeriesId: 1,
  maxExchangeRateAgeDays: 7,
  overReceiptTolerancePercent: 0,
  overBillingTolerancePercent: 0,
  writeOffLimit: 0,
  taxIdVerification: exampleTaxIdVerification,
  createdAt: '2026-11-21T10:00:00.000+01:00',
  updatedAt: '2026-11-21T10:00:00.000+01:00',
};

/** Response body of the company. The logo is the path from which it is read, never its place in the object store. */
export const presentCompany = (record: CompanyRecord) => ({
  legalName: record.legalName,
  taxId: record.taxId,
  registrationNumber: record.registrationNumber,
  // Absent in companies created before the fields existed.
  legalForm: record.legalForm ?? null,
  taxNumber: record.taxNumber ?? null,
  registerName: record.registerName ?? null,
  managingDirectors: record.managingDirectors ?? [],
  shareCapital: record.shareCapital
    ? { ...record.shareCapital, amount: new Decimal(record.shareCapital.amount) }
    : null,
  address: record.address,
  email: record.email,
  phone: record.phone,
  website: record.website,
  bankName: record.bankName,
  iban: record.iban,
  bic: record.bic,
  accountNumber: record.accountNumber ?? null,
  routingNumber: record.routingNumber ?? null,
  paymentNote: record.paymentNote ?? null,
  electronicAddress: record.electronicAddress ?? null,
  logo: record.logoKey === null ? null : LOGO_PATH,
  timeZone: record.timeZone,
  baseCurrencyCode: record.baseCurrencyCode,
  language: record.language,
  taxRounding: record.taxRounding,
  // Absent in companies created before the setting existed.
  eInvoicing: record.eInvoicing ?? 'off',
  completenessChecks: record.completenessChecks ?? 'off',
  defaultDeliveryDate: record.defaultDeliveryDate ?? 'none',
  defaultTaxRateId: record.defaultTaxRateId ?? null,
  defaultPaymentTerms: record.defaultPaymentTerms,
  defaultWarehouseId: record.defaultWarehouseId,
  defaultSeriesId: record.defaultSeriesId,
  maxExchangeRateAgeDays: record.maxExchangeRateAgeDays,
  overReceiptTolerancePercent: record.overReceiptTolerancePercent,
  overBillingTolerancePercent: record.overBillingTolerancePercent ?? 0,
  writeOffLimit: record.writeOffLimit ?? 0,
  taxIdVerification: presentHolderVerification(record),
  createdAt: record.createdAt,
  updatedAt: record.updatedAt,
});

const days = z
  .number({ error: 'must be a whole number of days, 0 to 366' })
  .int('must be a whole number of days, 0 to 366')
  .min(0, 'must be a whole number of days, 0 to 366')
  .max(366, 'must be a whole number of days, 0 to 366');

/** Accepts an address with or without its scheme. */
const isWebAddress = (value: string): boolean => URL.canParse(/^https?:\/\//i.test(value) ? value : `https://${value}`);
const OTHER_SCHEME = /^(?!https?:)[a-z][a-z\d+-]*:/i;

const website = line(200).refine(
  (value) => isWebAddress(value) && !OTHER_SCHEME.test(value),
  'must be an http or https address, like https://example.com',
);

/** It follows from queries of VIES and is ignored. */
export const COMPANY_DERIVED = ['taxIdVerification'] as const;
export const COMPANY_READ_ONLY = ['logo', 'createdAt', 'updatedAt'] as const;

export const companyBody = z.strictObject({
  legalName: line(200).optional(),
  taxId: line(40).nullable().optional(),
  registrationNumber: line(60)
    .nullable()
    .optional()
    .meta({ description: 'Number in the register of companies, such as HRB 12345, or a SIREN or SIRET.' }),
  legalForm: line(60).nullable().optional().meta({ description: 'Legal form, such as GmbH or SARL.' }),
  taxNumber: line(40).nullable().optional().meta({
    description: 'Tax number of the country that is not a VAT identifier, such as the German Steuernummer.',
  }),
  registerName: line(100).nullable().optional().meta({
    description: 'Court or register in which the company is registered, such as Amtsgericht Hamburg or RCS Paris.',
  }),
  managingDirectors: z
    .array(line(100), { error: 'must be an array of names' })
    .max(20, 'must have at most 20 names')
    .optional()
    .meta({ description: 'Managing directors or board members, printed in the foot of documents.' }),
  shareCapital: z
    .strictObject(
      { amount, currencyCode },
      {
        error: (issue) =>
          issue.code === 'invalid_type' ? 'must be an object with amount and currencyCode' : undefined,
      },
    )
    .nullable()
    .optional(),
  address: addressInput.optional(),
  email: email.nullable().optional(),
  phone: line(40).nullable().optional(),
  website: website.nullable().optional(),
  bankName: line(100).nullable().optional(),
  iban: line(50)
    .nullable()
    .optional()
    .meta({ description: 'IBAN of the bank account; country, length and check digits are verified.' }),
  bic: line(20).nullable().optional(),
  accountNumber: line(40).nullable().optional().meta({ description: 'Account number where there are no IBANs.' }),
  routingNumber: line(9)
    .nullable()
    .optional()
    .meta({ description: 'Routing number of a bank in the United States: nine digits with a check digit.' }),
  electronicAddress: electronicAddress.nullable().optional(),
  paymentNote: paragraph(500).nullable().optional().meta({
    description: 'Printed under the payment terms, such as interest and charges for late payment.',
  }),
  timeZone: line(60)
    .optional()
    .meta({ description: 'IANA name of the time zone. The dates of issued documents do not change.' }),
  baseCurrencyCode: currencyCode.optional().meta({
    description:
      'ISO 4217 code. It can only change while nothing has been posted; the change deletes the exchange rates.',
  }),
  language: language.optional(),
  taxRounding: z
    .enum(TAX_ROUNDINGS, { error: `must be one of ${TAX_ROUNDINGS.join(', ')}` })
    .optional()
    .meta({ description: 'Whether tax is rounded once per rate, on the sum of its lines, or on each line.' }),
  eInvoicing: z
    .enum(E_INVOICING_MODES, { error: `must be one of ${E_INVOICING_MODES.join(', ')}` })
    .optional()
    .meta({ description: 'Whether a document that violates a rule of EN 16931 is rejected when it is issued.' }),
  completenessChecks: z
    .enum(COMPLETENESS_MODES, { error: `must be one of ${COMPLETENESS_MODES.join(', ')}` })
    .optional()
    .meta({
      description:
        'Whether a document that lacks a detail that the law of the company’s country requires is rejected when it is issued.',
    }),
  defaultDeliveryDate: z
    .enum(DEFAULT_DELIVERY_DATES, { error: `must be one of ${DEFAULT_DELIVERY_DATES.join(', ')}` })
    .optional()
    .meta({
      description:
        'Date of supply of documents that state none: `issue_date` if goods are always delivered on the day of issue.',
    }),
  defaultTaxRateId: recordId.nullable().optional(),
  defaultPaymentTerms: paymentTerms.optional(),
  defaultWarehouseId: recordId.optional(),
  defaultSeriesId: recordId.optional(),
  maxExchangeRateAgeDays: days
    .optional()
    .meta({ description: 'Maximum age of an exchange rate in days; older rates are not used.' }),
  overReceiptTolerancePercent: percent.optional().meta({
    description: 'Percentage by which a receipt may exceed the ordered quantity: 0 to 100, at most 4 decimals.',
  }),
  overBillingTolerancePercent: percent.optional().meta({
    description:
      'Percentage by which a bill may exceed the quantity received with its receipts: 0 to 100, at most 4 decimals.',
  }),
  writeOffLimit: amount.optional().meta({
    description: 'Largest difference in base currency that can be written off; 0: none.',
  }),
  logo: readOnlyField,
  taxIdVerification: readOnlyField,
  createdAt: readOnlyField,
  updatedAt: readOnlyField,
});
