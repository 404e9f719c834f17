import { Schema } from 'mongoose';
import type { SchemaDefinitionProperty, Types } from 'mongoose';
import type { CellKind } from '../../../domain/business/exports/exports';
import type { PostalAddress } from '../../../domain/business/invoices/invoice';
import { PAYMENT_TERMS_CODES } from '../../../domain/business/payments/payment-terms';
import { TAX_PROFILES } from '../../../domain/business/settings/tax-profiles';
import { indexNames } from '../../name-order';
import { addressFields, EMPTY_ADDRESS } from './address';
import { taxIdVerificationSchema } from './tax-id-verification';
import type { TaxIdVerification } from './tax-id-verification';

/**
 * A field of a customer or vendor that a client can set, other than code and name. A new field such as `phone` is stated
 * in at most three places:
 *
 * 1. In this folder: one line in `CONTACT_FIELDS`, or in `customer.ts` or `vendor.ts` if only one of them has it. The
 *    record type, the input type of the service, the value of a new record and the export column follow from it.
 * 2. In `api/business/parties/party-fields.ts`: one entry with validation, response schema and example. Create, update,
 *    responses, lead conversion and the OpenAPI document follow from it.
 * 3. Where the field is used, for example on a document.
 */
export interface PartyField<T> {
  stored: SchemaDefinitionProperty;
  /** Value in a new record. */
  initial: T;
  /** Kind of the export column; an address has one column for each of its parts. */
  column: CellKind | 'address';
}

export type PartyFields = Readonly<Record<string, PartyField<unknown>>>;

/** The values of a set of fields, by name. */
export type PartyFieldValues<F> = { [K in keyof F]: F[K] extends PartyField<infer T> ? T : never };

export const textField: PartyField<string | null> = {
  stored: { type: String, default: null },
  initial: null,
  column: 'text',
};

/** A field with one of several values, or null, which is its initial value. */
export const choiceField = <T extends string>(values: readonly T[]): PartyField<T | null> => ({
  stored: { type: String, enum: [...values, null], default: null },
  initial: null,
  column: 'text',
});

const addressField: PartyField<PostalAddress> = { stored: addressFields, initial: EMPTY_ADDRESS, column: 'address' };

const activeField: PartyField<boolean> = {
  stored: { type: Boolean, required: true, default: true },
  initial: true,
  column: 'boolean',
};

/** Fields of every party, in the order of responses and exports; those of one kind of party follow them. */
export const CONTACT_FIELDS = {
  taxId: textField,
  registrationNumber: textField,
  /** Null: by country and VAT identifier. */
  taxProfile: choiceField(TAX_PROFILES),
  /** Day on which the VAT identifier was confirmed, `YYYY-MM-DD`. */
  taxIdVerifiedOn: textField,
  email: textField,
  phone: textField,
  address: addressField,
  /** Null: the default currency of the company. */
  currencyCode: textField,
  /** Null: the default of the company. */
  paymentTerms: choiceField(PAYMENT_TERMS_CODES),
} as const;

/** Fields of every party that come last. */
export const CLOSING_FIELDS = { notes: textField, active: activeField } as const;

/** What a party has besides the fields that a client can leave out. */
export interface PartyBase {
  _id: Types.ObjectId;
  organisationId: string;
  id: number;
  /** Unique within the organisation. */
  code: string;
  name: string;
  tokens: string[];
  /** The last verification of the VAT identifier by VIES; absent or null if there was none. */
  taxIdVerification?: TaxIdVerification | null;
  version: number;
  /** Number of results of verifications; absent before the first. */
  derivedVersion?: number;
  createdAt: Date;
  updatedAt: Date;
}

export type PartyRecord<F = typeof CONTACT_FIELDS & typeof CLOSING_FIELDS> = PartyBase & PartyFieldValues<F>;

/** The values of a new record. */
export const getInitialValues = <F extends PartyFields>(fields: F): PartyFieldValues<F> =>
  Object.fromEntries(Object.entries(fields).map(([name, { initial }]) => [name, initial])) as PartyFieldValues<F>;

/** The MongoDB schema of one kind of party, with the indexes that lists and searches use. */
export function buildPartySchema<R extends PartyBase>(collection: string, fields: PartyFields): Schema<R> {
  const schema = new Schema<R>(
    {
      organisationId: { type: String, required: true },
      id: { type: Number, required: true },
      code: { type: String, required: true },
      name: { type: String, required: true },
      ...Object.fromEntries(Object.entries(fields).map(([name, { stored }]) => [name, stored])),
      tokens: { type: [String], required: true },
      taxIdVerification: { type: taxIdVerificationSchema, default: null },
      version: { type: Number, required: true, default: 1 },
      derivedVersion: { type: Number },
      createdAt: { type: Date, required: true },
      updatedAt: { type: Date, required: true },
    },
    { collection, versionKey: false, strict: 'throw' },
  );
  schema.index({ organisationId: 1, id: 1 }, { unique: true });
  schema.index({ organisationId: 1, code: 1 }, { unique: true });
  // Sorts by code with the id as tie-breaker, which the unique index alone cannot do.
  schema.index({ organisationId: 1, code: 1, id: 1, active: 1 });
  // Lists hide inactive records: with the flag last, an index filters them without reading the record.
  schema.index({ organisationId: 1, active: 1, id: 1 });
  indexNames(schema, { active: 1 });
  schema.index({ organisationId: 1, createdAt: 1, id: 1, active: 1 });
  schema.index({ organisationId: 1, tokens: 1, id: 1, active: 1 });
  return schema;
}
