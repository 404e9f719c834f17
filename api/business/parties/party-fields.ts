import { z } from 'zod';
import { EINVOICE_PROFILES } from '../../../domain/business/documents/einvoice/specification';
import { TAX_PROFILES } from '../../../domain/business/settings/tax-profiles';
import type { CustomerRecord } from '../../../models/business/parties/customer';
import type { VendorRecord } from '../../../models/business/parties/vendor';
import {
  addressInput,
  addressSchema,
  amount,
  currencyCode,
  electronicAddress,
  email,
  exampleAddress,
  flag,
  instant,
  language,
  line,
  NULLABLE_DECIMAL,
  paragraph,
  paymentTerms,
} from '../fields';
import { exampleTaxIdVerification, presentHolderVerification, taxIdVerificationSchema } from './tax-id-fields';

/**
 * A field that a client can set: its validation and documentation in requests and in responses. The model of the field
 * is in `models/business/parties`.
 */
interface PartyField {
  input: z.ZodType;
  response: z.ZodType;
  example: unknown;
}

type PartyFields = Readonly<Record<string, PartyField>>;

const text = z.string().nullable();

/** Fields of every party, in the order of responses; those of one kind of party follow them. */
const contactFields = {
  taxId: { input: line(40).nullable().optional(), response: text, example: 'DE123456789' },
  registrationNumber: {
    input: line(60)
      .nullable()
      .optional()
      .meta({ description: 'Number in the register of companies, such as HRB 12345, or a SIREN or SIRET.' }),
    response: text,
    example: 'HRB 12345',
  },
  taxProfile: {
    input: z
      .enum(TAX_PROFILES, { error: `must be one of ${TAX_PROFILES.join(', ')}` })
      .nullable()
      .optional()
      .meta({
        description:
          'How documents are taxed whose lines name no tax rate. Default: by country and verified VAT identifier.',
      }),
    response: text,
    example: null,
  },
  taxIdVerifiedOn: {
    input: z.iso.date({ error: 'must be a date YYYY-MM-DD' }).nullable().optional().meta({
      description:
        'Day on which you confirmed the VAT identifier yourself, if not by `taxIdVerification`. A change of the identifier resets it.',
    }),
    response: text,
    example: null,
  },
  email: { input: email.nullable().optional(), response: text, example: 'billing@nordlicht.example' },
  phone: { input: line(40).nullable().optional(), response: text, example: null },
  address: { input: addressInput.optional(), response: addressSchema, example: exampleAddress },
  currencyCode: { input: currencyCode.nullable().optional(), response: text, example: 'EUR' },
  paymentTerms: { input: paymentTerms.nullable().optional(), response: text, example: 'NET30' },
};

/** Fields of every party that come last. */
const closingFields = {
  notes: { input: paragraph(2000).nullable().optional(), response: text, example: null },
  active: { input: flag.optional(), response: z.boolean(), example: true },
};

const CUSTOMER_FIELDS = {
  ...contactFields,
  language: { input: language.nullable().optional(), response: text, example: 'de' },
  creditLimit: {
    input: amount
      .nullable()
      .optional()
      .meta({ ...NULLABLE_DECIMAL, description: 'Credit limit in the base currency; null: no limit.' }),
    response: z.number().nullable(),
    example: null,
  },
  eInvoiceProfile: {
    input: z
      .enum(EINVOICE_PROFILES, { error: `must be one of ${EINVOICE_PROFILES.join(', ')}` })
      .nullable()
      .optional()
      .meta({ description: 'Profile of electronic invoices; null: the core of EN 16931.' }),
    response: z.enum(EINVOICE_PROFILES).nullable(),
    example: 'xrechnung',
  },
  buyerReference: {
    input: line(100)
      .nullable()
      .optional()
      .meta({ description: 'Buyer reference of every invoice (BT-10), such as a Leitweg-ID.' }),
    response: text,
    example: '991-33333TEST-33',
  },
  electronicAddress: {
    input: electronicAddress.nullable().optional(),
    response: text,
    example: '0204:991-33333TEST-33',
  },
  ...closingFields,
};

const VENDOR_FIELDS = {
  ...contactFields,
  taxId: { ...contactFields.taxId, example: 'DE987654321' },
  email: { ...contactFields.email, example: 'sales@sueddraht.example' },
  bankName: { input: line(100).nullable().optional(), response: text, example: null },
  iban: {
    input: line(50)
      .nullable()
      .optional()
      .meta({ description: 'IBAN of the bank account; country, length and check digits are verified.' }),
    response: text,
    example: 'DE89370400440532013000',
  },
  bic: { input: line(20).nullable().optional(), response: text, example: null },
  ...closingFields,
};

/** One part of every field, such as its validation. */
const selectPart = <F extends PartyFields, P extends keyof PartyField>(fields: F, part: P) =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field[part]])) as {
    [K in keyof F]: F[K][P];
  };

const buildInputs = <F extends PartyFields>(codePrefix: string, fields: F) => ({
  code: line(40)
    .optional()
    .meta({ description: `Code, unique in the organisation. Default: ${codePrefix} followed by the id.` }),
  ...selectPart(fields, 'input'),
});

const buildSchema = <F extends PartyFields>(fields: F) =>
  z.object({
    id: z.number().int(),
    code: z.string(),
    name: z.string(),
    ...selectPart(fields, 'response'),
    taxIdVerification: taxIdVerificationSchema.nullable(),
    createdAt: instant,
    updatedAt: instant,
  });

const buildExample = (code: string, name: string, fields: PartyFields) => ({
  id: 1,
  code,
  name,
  ...selectPart(fields, 'example'),
  taxIdVerification: exampleTaxIdVerification,
  createdAt: '2026-11-21T10:00:00.000+01:00',
  updatedAt: '2026-11-21T10:00:00.000+01:00',
});

const pickFields = <R extends object, K extends keyof R & string>(record: R, names: readonly K[]) =>
  Object.fromEntries(names.map((name) => [name, record[name] ?? null])) as Pick<R, K>;

/** The fields of a customer other than its name, as a client sends them. */
export const customerInputs = buildInputs('C', CUSTOMER_FIELDS);
export const customerSchema = buildSchema(CUSTOMER_FIELDS);
export const exampleCustomer = buildExample('C1', 'Nordlicht AG', CUSTOMER_FIELDS);

const STORED_CUSTOMER_FIELDS = customerSchema.omit({ taxIdVerification: true }).keyof().options;

/** Response body of a customer. Fields that a record created by an earlier version lacks are null. */
export const presentCustomer = (record: CustomerRecord) => ({
  ...pickFields(record, STORED_CUSTOMER_FIELDS),
  taxIdVerification: presentHolderVerification(record),
});

/** The fields of a vendor other than its name, as a client sends them. */
export const vendorInputs = buildInputs('V', VENDOR_FIELDS);
export const vendorSchema = buildSchema(VENDOR_FIELDS);
export const exampleVendor = buildExample('V1', 'Süddraht GmbH', VENDOR_FIELDS);

const STORED_VENDOR_FIELDS = vendorSchema.omit({ taxIdVerification: true }).keyof().options;

/** Response body of a vendor. Fields that a record created by an earlier version lacks are null. */
export const presentVendor = (record: VendorRecord) => ({
  ...pickFields(record, STORED_VENDOR_FIELDS),
  taxIdVerification: presentHolderVerification(record),
});
