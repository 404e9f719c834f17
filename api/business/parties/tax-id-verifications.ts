import { z } from 'zod';
import type { TaxIdHolder } from '../../../domain/business/parties/tax-id-verification';
import { listTaxIdVerifications, verifyTaxId } from '../../../services/business/parties/tax-id-verifications';
import type { TaxIdHolderReference } from '../../../services/business/parties/tax-id-holders';
import { defineRoute } from '../../http/route';
import type { Route, RouteContext } from '../../http/route';
import { getCaller } from '../caller';
import { idPath } from '../fields';
import { serializeResponse } from '../serialization';
import { exampleTaxIdVerification, presentTaxIdVerification, taxIdVerificationSchema } from './tax-id-fields';

interface HolderRoutes {
  holder: TaxIdHolder;
  path: string;
  tag: string;
  noun: string;
  /** In names of operations. */
  name: string;
  permissions: { read: string; update: string };
}

const MESSAGE = 'The VAT identifier is being verified.';

const verifySpec = ({ path, tag, noun, name, permissions }: HolderRoutes) =>
  ({
    method: 'post',
    path: `${path}/tax-id-verifications`,
    operationId: `verify${name}TaxId`,
    summary: `Verify the VAT identifier of ${noun}`,
    description:
      'Queries VIES in the background; `taxIdVerification` has the result. While VIES or the member state does not respond, the query is repeated for ten days.',
    tag,
    addition: true,
    permission: permissions.update,
    replies: {
      202: {
        description: 'The verification.',
        schema: z.object({ data: taxIdVerificationSchema, message: z.string() }),
        example: {
          data: { ...exampleTaxIdVerification, status: 'pending', checkedAt: null, consultationNumber: null },
          message: MESSAGE,
        },
      },
    },
    errors: { 409: '`tax_id_not_verifiable`: it is no VAT identifier of a member state.' },
  }) as const;

const listSpec = ({ path, tag, noun, name, permissions }: HolderRoutes) =>
  ({
    method: 'get',
    path: `${path}/tax-id-verifications`,
    operationId: `list${name}TaxIdVerifications`,
    summary: `List the verifications of the VAT identifier of ${noun}`,
    description: 'The latest 100, newest first.',
    tag,
    addition: true,
    permission: permissions.read,
    replies: {
      200: {
        description: 'The verifications.',
        schema: z.object({ data: z.array(taxIdVerificationSchema) }),
        example: { data: [exampleTaxIdVerification] },
      },
    },
  }) as const;

async function respondVerified(context: RouteContext, reference: TaxIdHolderReference) {
  const caller = await getCaller(context);
  const data = presentTaxIdVerification(await verifyTaxId(context.platform, caller, reference));
  return { status: 202, body: serializeResponse({ data, message: MESSAGE }, caller.company.timeZone) } as const;
}

async function respondList(context: RouteContext, reference: TaxIdHolderReference) {
  const caller = await getCaller(context);
  const rows = await listTaxIdVerifications(caller, reference);
  const data = rows.map(({ _id: id, ...row }) => presentTaxIdVerification({ id, ...row }));
  return { status: 200, body: serializeResponse({ data }, caller.company.timeZone) } as const;
}

function definePartyRoutes(routes: HolderRoutes & { holder: 'customer' | 'vendor' }): Route[] {
  const { holder } = routes;
  return [
    defineRoute({
      ...verifySpec(routes),
      params: idPath,
      handle: (context, { params }) => respondVerified(context, { holder, holderId: params.id }),
    }),
    defineRoute({
      ...listSpec(routes),
      params: idPath,
      handle: (context, { params }) => respondList(context, { holder, holderId: params.id }),
    }),
  ];
}

const COMPANY: HolderRoutes = {
  holder: 'company',
  path: '/api/config/company',
  tag: 'Configuration',
  noun: 'the company',
  name: 'Company',
  permissions: { read: 'config:read', update: 'config:update' },
};

export const taxIdVerificationRoutes: readonly Route[] = [
  ...definePartyRoutes({
    holder: 'customer',
    path: '/api/customers/:id',
    tag: 'Customers',
    noun: 'a customer',
    name: 'Customer',
    permissions: { read: 'customers:read', update: 'customers:update' },
  }),
  ...definePartyRoutes({
    holder: 'vendor',
    path: '/api/vendors/:id',
    tag: 'Vendors',
    noun: 'a vendor',
    name: 'Vendor',
    permissions: { read: 'vendors:read', update: 'vendors:update' },
  }),
  defineRoute({
    ...verifySpec(COMPANY),
    handle: (context) => respondVerified(context, { holder: 'company', holderId: null }),
  }),
  defineRoute({
    ...listSpec(COMPANY),
    handle: (context) => respondList(context, { holder: 'company', holderId: null }),
  }),
];
