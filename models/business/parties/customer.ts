import { model, Schema } from 'mongoose';
import type { Types } from 'mongoose';
import { EINVOICE_PROFILES } from '../../../domain/business/documents/einvoice/specification';
import { DOCUMENT_LANGUAGES } from '../../../domain/business/invoices/invoice';
import { buildPartySchema, choiceField, CLOSING_FIELDS, CONTACT_FIELDS, textField } from './party';
import type { PartyField, PartyRecord } from './party';

const decimalField: PartyField<Types.Decimal128 | null> = {
  stored: { type: Schema.Types.Decimal128, default: null },
  initial: null,
  column: 'decimal',
};

export const CUSTOMER_FIELDS = {
  ...CONTACT_FIELDS,
  /** Null: the language of the company. */
  language: choiceField(DOCUMENT_LANGUAGES),
  /** Limit in the base currency; null: no limit. */
  creditLimit: decimalField,
  /** Profile of electronic invoices; null: the core of EN 16931. */
  eInvoiceProfile: choiceField(EINVOICE_PROFILES),
  /** BT-10 of every invoice, such as a Leitweg-ID. */
  buyerReference: textField,
  /** `scheme:identifier` to which electronic invoices are delivered (BT-49). */
  electronicAddress: textField,
  ...CLOSING_FIELDS,
} as const;

export type CustomerRecord = PartyRecord<typeof CUSTOMER_FIELDS>;

export const Customer = model<CustomerRecord>('Customer', buildPartySchema('customers', CUSTOMER_FIELDS));
