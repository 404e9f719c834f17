import type { Types } from 'mongoose';
import type { Decimal } from '../../../domain/business/decimal';
import type { PostalAddress } from '../../../domain/business/invoices/invoice';
import { readBankDetails } from '../../../domain/business/payments/bank-details';
import { invalidRequestError } from '../../../domain/errors';
import { toDecimal128 } from '../../../models/business/decimal128';
import { Customer, CUSTOMER_FIELDS } from '../../../models/business/parties/customer';
import type { CustomerRecord } from '../../../models/business/parties/customer';
import { getInitialValues } from '../../../models/business/parties/party';
import type { PartyBase, PartyRecord } from '../../../models/business/parties/party';
import { Vendor, VENDOR_FIELDS } from '../../../models/business/parties/vendor';
import type { VendorRecord } from '../../../models/business/parties/vendor';
import type { RecordKind } from '../records/records';

type AddressInput = { [K in keyof PostalAddress]?: PostalAddress[K] | undefined };

type InputValue<T> = T extends Types.Decimal128 ? Decimal : T extends PostalAddress ? AddressInput : T;

/** The fields that a client can set; undefined leaves a field as it is, or at its initial value. */
export type PartyInput<R extends PartyRecord> = {
  [K in Exclude<keyof R, keyof PartyBase> | 'code' | 'name']?: InputValue<R[K]> | undefined;
};

export type CustomerInput = PartyInput<CustomerRecord>;
export type VendorInput = PartyInput<VendorRecord>;

/** One kind of party: everything in which customers and vendors differ. */
export interface PartyKind<R extends PartyRecord, I> extends RecordKind<R> {
  /** What its verifications name it. */
  holder: 'customer' | 'vendor';
  /** A new party without a code gets this letter and its id. */
  codePrefix: string;
  /** A new record with the initial values of the fields. */
  createRecord(base: PartyBase): R;
  /** The input in the form in which it is stored. @throws AppError 400 */
  normalizeInput(input: I): object & {
    address?: AddressInput | undefined;
    taxId?: string | null | undefined;
    taxIdVerifiedOn?: string | null | undefined;
  };
}

export const CUSTOMER_KIND: PartyKind<CustomerRecord, CustomerInput> = {
  model: Customer,
  name: 'customer',
  holder: 'customer',
  counter: 'customers',
  unique: 'code',
  where: (condition) => condition,
  codePrefix: 'C',
  createRecord: (base) => ({ ...base, ...getInitialValues(CUSTOMER_FIELDS) }),
  normalizeInput: ({ creditLimit, ...input }) => ({
    ...input,
    creditLimit: creditLimit == null ? creditLimit : toDecimal128(creditLimit),
  }),
};

export const VENDOR_KIND: PartyKind<VendorRecord, VendorInput> = {
  model: Vendor,
  name: 'vendor',
  holder: 'vendor',
  counter: 'vendors',
  unique: 'code',
  where: (condition) => condition,
  codePrefix: 'V',
  createRecord: (base) => ({ ...base, ...getInitialValues(VENDOR_FIELDS) }),
  normalizeInput: (input) => {
    const { iban, bic, problems } = readBankDetails(input);
    if (problems.length > 0) throw invalidRequestError(problems);
    return { ...input, iban, bic };
  },
};
