import type { Body, CallOptions, OperationResponse } from '../../../../clients/typescript/src/calls';
import { business } from '../../../shared/api/business';
import { identity } from '../../../shared/api/identity';
import { useSession } from '../../session';
import type { Delivery, Webhook } from './badges';

export type Subscription = Body<'createWebhook'>['events'][number];

/** What a user states of a webhook. */
export interface WebhookValues {
  url: string;
  events: Subscription[];
  description: string | null;
}

interface Signal {
  signal: AbortSignal;
}

interface PageRequest {
  cursor: string | undefined;
  status?: Delivery['status'] | undefined;
}

/** What the pages do with webhooks; the responses are those of `/v1`. */
interface WebhookOperations {
  list: (request: PageRequest, options: Signal) => Promise<OperationResponse<'listWebhooks'>>;
  read: (id: string, options: CallOptions) => Promise<{ data: Webhook }>;
  listDeliveries: (
    id: string,
    request: PageRequest,
    options: Signal,
  ) => Promise<OperationResponse<'listWebhookDeliveries'>>;
  readDelivery: (id: string, deliveryId: string, options: Signal) => Promise<OperationResponse<'getWebhookDelivery'>>;
  create: (values: WebhookValues) => Promise<{ secret: string | null }>;
  /** @param options with the version that was read */
  update: (id: string, values: WebhookValues, options: CallOptions) => Promise<unknown>;
  remove: (id: string) => Promise<unknown>;
  test: (id: string) => Promise<unknown>;
  rotate: (id: string, overlapSeconds: number) => Promise<{ secret: string | null }>;
  recover: (id: string, since: string) => Promise<unknown>;
  /** @returns the new delivery */
  resend: (id: string, deliveryId: string) => Promise<{ id: string }>;
}

const identityOperations: WebhookOperations = {
  list: (request, options) => identity.listWebhooks({ cursor: request.cursor }, options),
  read: async (id, options) => ({ data: (await identity.getWebhook(id, options)).webhook }),
  listDeliveries: (id, request, options) => identity.listWebhookDeliveries(id, request, options),
  readDelivery: (id, deliveryId, options) => identity.getWebhookDelivery(id, deliveryId, options),
  create: (values) => identity.createWebhook(values),
  update: (id, values, options) => identity.updateWebhook(id, values, options),
  remove: (id) => identity.deleteWebhook(id),
  test: (id) => identity.testWebhook(id),
  rotate: (id, overlapSeconds) => identity.rotateWebhookSecret(id, { overlapSeconds }),
  recover: (id, since) => identity.recoverWebhook(id, { since }),
  resend: async (id, deliveryId) => (await identity.resendWebhookDelivery(id, deliveryId)).delivery,
};

/** Lists of `/api` have numbered pages; the number stands for the cursor. */
const toPage = ({ cursor, status }: PageRequest) => ({
  page: Number(cursor ?? 1),
  ...(status === undefined ? {} : { status: [status] }),
});

interface NumberedPage {
  page: number;
  pageSize: number;
  totalCount: number;
}

const toCursorPage = ({ page, pageSize, totalCount }: NumberedPage) => ({
  total: totalCount,
  nextCursor: page * pageSize < totalCount ? String(page + 1) : null,
});

/** The same webhooks by the business API, for users without a role in identity verification. */
const businessOperations: WebhookOperations = {
  async list(request, options) {
    const page = await business.listWebhooks(toPage(request), options);
    return { ok: true, webhooks: page.data, ...toCursorPage(page) };
  },
  read: (id, options) => business.getWebhook(id, options),
  async listDeliveries(id, request, options) {
    const page = await business.listWebhookDeliveries(id, toPage(request), options);
    return { ok: true, deliveries: page.data, ...toCursorPage(page) };
  },
  async readDelivery(id, deliveryId, options) {
    return { ok: true, delivery: (await business.getWebhookDelivery(id, deliveryId, options)).data };
  },
  create: async (values) => (await business.createWebhook(values)).data,
  update: (id, values, options) => business.updateWebhook(id, values, options),
  remove: (id) => business.deleteWebhook(id),
  test: (id) => business.testWebhook(id),
  rotate: async (id, overlapSeconds) => (await business.rotateWebhookSecret(id, { overlapSeconds })).data,
  recover: (id, since) => business.recoverWebhook(id, { since }),
  resend: async (id, deliveryId) => (await business.resendWebhookDelivery(id, deliveryId)).data,
};

/** The operations of the product whose role permits more, and whether they include changes. */
export function useWebhookOperations(): { operations: WebhookOperations; mayWrite: boolean } {
  const { identity: verification, business: management } = useSession();
  if (verification.has('webhooks:write')) return { operations: identityOperations, mayWrite: true };
  if (management.has('admin:update')) return { operations: businessOperations, mayWrite: true };
  return { operations: verification.has('webhooks:read') ? identityOperations : businessOperations, mayWrite: false };
}
