import type { PostalAddress } from '../../../domain/business/invoices/invoice';

const text = { type: String, default: null } as const;

/** A postal address of a company, customer or vendor; every part can be null. */
export const addressFields = {
  line1: text,
  line2: text,
  city: text,
  region: text,
  postalCode: text,
  country: text,
};

export const EMPTY_ADDRESS: PostalAddress = {
  line1: null,
  line2: null,
  city: null,
  region: null,
  postalCode: null,
  country: null,
};
