import type { BusinessBody, CallOptions } from '../../../../clients/typescript/src/calls';
import { business, businessQuery } from '../../../shared/api/business';
import type { NumberedPage } from '../records/record-list';
import type { Customer, Vendor } from '../records/record-select';

type CustomerBody = BusinessBody<'createCustomer'>;
type VendorBody = BusinessBody<'createVendor'>;

/** The fields that customers and vendors have in common; those of only one of them are absent in the other. */
export type Party = Pick<Customer, keyof Customer & keyof Vendor> &
  Partial<Omit<Customer & Vendor, keyof Customer & keyof Vendor>>;

export interface PartyQuery {
  page: number;
  search: string | undefined;
  sortBy: 'name' | 'createdAt' | undefined;
  sortDir: 'asc' | 'desc' | undefined;
  active: 'true' | 'false' | 'all' | undefined;
}

/** A party as it is edited; an empty field is not set. */
export interface PartyValues extends Record<string, unknown> {
  name: string;
  code: string;
  taxId: string;
  taxIdVerifiedOn: string;
  registrationNumber: string;
  taxProfile: string | null;
  email: string;
  phone: string;
  address: { line1: string; line2: string; postalCode: string; city: string; region: string; country: string };
  currencyCode: string | null;
  paymentTerms: string | null;
  notes: string;
  active: boolean;
  language: string | null;
  creditLimit: number | string;
  eInvoiceProfile: string | null;
  electronicAddress: string;
  buyerReference: string;
  bankName: string;
  iban: string;
  bic: string;
}

const orNull = (text: string): string | null => (text.trim() === '' ? null : text);

const ADDRESS_FIELDS = ['line1', 'line2', 'postalCode', 'city', 'region', 'country'] as const;

/** @param party null for the initial values of a new one */
export function readPartyValues(party: Party | null): PartyValues {
  const text = (value: string | null | undefined): string => value ?? '';
  const address = Object.fromEntries(ADDRESS_FIELDS.map((name) => [name, text(party?.address[name])]));
  return {
    name: text(party?.name),
    code: text(party?.code),
    taxId: text(party?.taxId),
    taxIdVerifiedOn: text(party?.taxIdVerifiedOn),
    registrationNumber: text(party?.registrationNumber),
    taxProfile: party?.taxProfile ?? null,
    email: text(party?.email),
    phone: text(party?.phone),
    address: address as PartyValues['address'],
    currencyCode: party?.currencyCode ?? null,
    paymentTerms: party?.paymentTerms ?? null,
    notes: text(party?.notes),
    active: party?.active ?? true,
    language: party?.language ?? null,
    creditLimit: party?.creditLimit ?? '',
    eInvoiceProfile: party?.eInvoiceProfile ?? null,
    electronicAddress: text(party?.electronicAddress),
    buyerReference: text(party?.buyerReference),
    bankName: text(party?.bankName),
    iban: text(party?.iban),
    bic: text(party?.bic),
  };
}

/** The fields of every party as the API expects them. */
function toCommonBody(values: PartyValues) {
  const { line1, line2, postalCode, city, region, country } = values.address;
  return {
    name: values.name,
    ...(values.code === '' ? {} : { code: values.code }),
    taxId: orNull(values.taxId),
    taxIdVerifiedOn: orNull(values.taxIdVerifiedOn),
    registrationNumber: orNull(values.registrationNumber),
    taxProfile: values.taxProfile as CustomerBody['taxProfile'],
    email: orNull(values.email),
    phone: orNull(values.phone),
    address: {
      line1: orNull(line1),
      line2: orNull(line2),
      postalCode: orNull(postalCode),
      city: orNull(city),
      region: orNull(region),
      country: orNull(country),
    },
    currencyCode: values.currencyCode,
    paymentTerms: values.paymentTerms as CustomerBody['paymentTerms'],
    notes: orNull(values.notes),
    active: values.active,
  };
}

const toCustomerBody = (values: PartyValues): CustomerBody => ({
  ...toCommonBody(values),
  language: values.language as CustomerBody['language'],
  creditLimit: values.creditLimit === '' ? null : Number(values.creditLimit),
  eInvoiceProfile: values.eInvoiceProfile as CustomerBody['eInvoiceProfile'],
  electronicAddress: orNull(values.electronicAddress),
  buyerReference: orNull(values.buyerReference),
});

const toVendorBody = (values: PartyValues): VendorBody => ({
  ...toCommonBody(values),
  bankName: orNull(values.bankName),
  iban: orNull(values.iban),
  bic: orNull(values.bic),
});

/** What differs between customers and vendors. */
export interface PartyKind {
  name: 'customer' | 'vendor';
  path: '/customers' | '/vendors';
  side: 'receivable' | 'payable';
  resource: 'customers' | 'vendors';
  permissions: { create: 'customers:create' | 'vendors:create'; update: 'customers:update' | 'vendors:update' };
  operations: {
    list: 'listCustomers' | 'listVendors';
    get: 'getCustomer' | 'getVendor';
    balance: 'getCustomerBalance' | 'getVendorBalance';
  };
  list: (query: PartyQuery, options: CallOptions) => Promise<NumberedPage<Party>>;
  get: (id: string, options: CallOptions) => Promise<{ data: Party }>;
  getBalance: (id: string, options: CallOptions) => ReturnType<typeof business.getCustomerBalance>;
  create: (values: PartyValues) => Promise<{ data: { id: number | null } }>;
  update: (id: string, values: PartyValues, options: CallOptions) => Promise<{ data: { id: number } }>;
  verifyTaxId: (id: string) => Promise<unknown>;
}

export const CUSTOMER: PartyKind = {
  name: 'customer',
  path: '/customers',
  side: 'receivable',
  resource: 'customers',
  permissions: { create: 'customers:create', update: 'customers:update' },
  operations: { list: 'listCustomers', get: 'getCustomer', balance: 'getCustomerBalance' },
  list: (query, options) => business.listCustomers(query, options),
  get: (id, options) => business.getCustomer(id, options),
  getBalance: (id, options) => business.getCustomerBalance(id, {}, options),
  create: (values) => business.createCustomer(toCustomerBody(values)),
  update: (id, values, options) => business.updateCustomer(id, toCustomerBody(values), options),
  verifyTaxId: (id) => business.verifyCustomerTaxId(id),
};

export const VENDOR: PartyKind = {
  name: 'vendor',
  path: '/vendors',
  side: 'payable',
  resource: 'vendors',
  permissions: { create: 'vendors:create', update: 'vendors:update' },
  operations: { list: 'listVendors', get: 'getVendor', balance: 'getVendorBalance' },
  list: (query, options) => business.listVendors(query, options),
  get: (id, options) => business.getVendor(id, options),
  getBalance: (id, options) => business.getVendorBalance(id, {}, options),
  create: (values) => business.createVendor(toVendorBody(values)),
  update: (id, values, options) => business.updateVendor(id, toVendorBody(values), options),
  verifyTaxId: (id) => business.verifyVendorTaxId(id),
};

/** The query of one party. */
export const partyQuery = (kind: PartyKind, id: string) =>
  businessQuery(kind.operations.get, [id], (options) => kind.get(id, options));
