import { model } from 'mongoose';
import { buildPartySchema, CLOSING_FIELDS, CONTACT_FIELDS, textField } from './party';
import type { PartyRecord } from './party';

export const VENDOR_FIELDS = {
  ...CONTACT_FIELDS,
  bankName: textField,
  iban: textField,
  bic: textField,
  ...CLOSING_FIELDS,
} as const;

/** A business that the company buys from. */
export type VendorRecord = PartyRecord<typeof VENDOR_FIELDS>;

export const Vendor = model<VendorRecord>('Vendor', buildPartySchema('vendors', VENDOR_FIELDS));
