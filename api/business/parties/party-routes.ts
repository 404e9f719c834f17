import { z } from 'zod';
import type { PartyRecord } from '../../../models/business/parties/party';
import { CUSTOMER_KIND, VENDOR_KIND } from '../../../services/business/parties/party-kinds';
import type { PartyInput, PartyKind } from '../../../services/business/parties/party-kinds';
import {
  createParty,
  dryRunParty,
  dryRunPartyUpdate,
  PARTY_SORT_FIELDS,
  updateParty,
} from '../../../services/business/parties/party-records';
import { getRecord, listRecords } from '../../../services/business/records/records';
import type { Route } from '../../http/route';
import { exampleAddress, line, readOnlyFields } from '../fields';
import { activeParameter, listParameters, parseActiveFilter } from '../listing';
import { definePresentation, defineRecordRoutes } from '../record-routes';
import type { BatchOperation, Presentation } from '../record-routes';
import {
  customerInputs,
  customerSchema,
  exampleCustomer,
  exampleVendor,
  presentCustomer,
  presentVendor,
  vendorInputs,
  vendorSchema,
} from './party-fields';

const READ_ONLY = ['id', 'createdAt', 'updatedAt'] as const;
/** It follows from queries of VIES. */
const DERIVED = ['taxIdVerification'] as const;

interface PartyRoutes<R extends PartyRecord, I extends PartyInput<PartyRecord>> {
  kind: PartyKind<R, I>;
  nouns: { one: 'customer'; many: 'customers' } | { one: 'vendor'; many: 'vendors' };
  /** The singular and plural in names of operations and in messages. */
  names: { one: 'Customer'; many: 'Customers' } | { one: 'Vendor'; many: 'Vendors' };
  presentation: Presentation<R>;
  /** The code in the example. */
  exampleCode: string;
  createBody: z.ZodType<I & { name: string }>;
  createExample: object;
  updateBody: z.ZodType<I & Partial<Record<(typeof READ_ONLY | typeof DERIVED)[number], unknown>>>;
  updateExample: object;
  batch?: BatchOperation;
}

/** The routes of customers or vendors. */
function definePartyRoutes<R extends PartyRecord, I extends PartyInput<PartyRecord>>({
  kind,
  nouns,
  names,
  presentation,
  exampleCode,
  ...bodies
}: PartyRoutes<R, I>): readonly Route[] {
  const codeTaken = `Another ${nouns.one} has the code (\`code_taken\`)`;
  return defineRecordRoutes({
    path: `/api/${nouns.many}`,
    tag: names.many,
    nouns,
    permissions: { read: `${nouns.many}:read`, create: `${nouns.many}:create`, update: `${nouns.many}:update` },
    ...presentation,
    get: (caller, id) => getRecord(caller, kind, id),
    list: {
      operationId: `list${names.many}`,
      summary: `List ${nouns.many}`,
      query: z.strictObject({ ...listParameters(PARTY_SORT_FIELDS), ...activeParameter }),
      read: (caller, query, listRequest) =>
        listRecords(caller, kind, parseActiveFilter(query, caller.company.timeZone), listRequest),
    },
    detail: { operationId: `get${names.one}`, summary: `${names.one} detail` },
    create: {
      operationId: `create${names.one}`,
      summary: `Create a ${nouns.one}`,
      body: bodies.createBody,
      bodyExample: bodies.createExample,
      message: ({ code }) => `${names.one} ${code} created.`,
      exampleMessage: `${names.one} ${exampleCode} created.`,
      create: (platform, caller, body, use) => createParty(platform, caller, kind, body, use),
      dryRun: (platform, caller, body) => dryRunParty(platform, caller, kind, body),
      errors: { 409: `${codeTaken}, or the Idempotency-Key is in use.` },
    },
    update: {
      operationId: `update${names.one}`,
      summary: `Update a ${nouns.one}`,
      description: 'Changes the fields that are sent. Read-only fields may be sent back unchanged. Honours If-Match.',
      body: bodies.updateBody,
      bodyExample: bodies.updateExample,
      readOnly: READ_ONLY,
      derived: DERIVED,
      update: (platform, caller, at, input, use) => updateParty(platform, caller, kind, at, input, use),
      dryRun: (platform, caller, id, input) => dryRunPartyUpdate(platform, caller, kind, id, input),
      errors: { 409: `${codeTaken}.` },
    },
    ...(bodies.batch === undefined ? {} : { batch: bodies.batch }),
  });
}

export const customerRoutes = definePartyRoutes({
  kind: CUSTOMER_KIND,
  nouns: { one: 'customer', many: 'customers' },
  names: { one: 'Customer', many: 'Customers' },
  presentation: definePresentation(customerSchema, exampleCustomer, presentCustomer),
  exampleCode: exampleCustomer.code,
  createBody: z.strictObject({ name: line(200), ...customerInputs }),
  createExample: { name: 'Nordlicht AG', taxId: 'DE123456789', paymentTerms: 'NET30', address: exampleAddress },
  updateBody: z.strictObject({
    name: line(200).optional(),
    ...customerInputs,
    ...readOnlyFields([...READ_ONLY, ...DERIVED]),
  }),
  updateExample: { phone: '+49 30 1234567' },
  batch: { operationId: 'createCustomers', summary: 'Create and change many customers' },
});

export const vendorRoutes = definePartyRoutes({
  kind: VENDOR_KIND,
  nouns: { one: 'vendor', many: 'vendors' },
  names: { one: 'Vendor', many: 'Vendors' },
  presentation: definePresentation(vendorSchema, exampleVendor, presentVendor),
  exampleCode: exampleVendor.code,
  createBody: z.strictObject({ name: line(200), ...vendorInputs }),
  createExample: { name: 'Süddraht GmbH', taxId: 'DE987654321', paymentTerms: 'NET30', address: exampleAddress },
  updateBody: z.strictObject({
    name: line(200).optional(),
    ...vendorInputs,
    ...readOnlyFields([...READ_ONLY, ...DERIVED]),
  }),
  updateExample: { phone: '+49 89 1234567' },
});
