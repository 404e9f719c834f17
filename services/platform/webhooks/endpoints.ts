import { conflictError, invalidFieldError, notFoundError } from '../../../domain/errors';
import { normaliseSubscriptions } from '../../../domain/platform/webhooks/event-types';
import type { Subscription } from '../../../domain/platform/webhooks/event-types';
import { NO_FAILURES } from '../../../domain/platform/webhooks/endpoint-health';
import { describeReason } from '../../../lib/egress/failure';
import { formatHostPort, inspectUrl, parseAllowList } from '../../../lib/egress/url';
import { newId } from '../../../lib/ids';
import { WebhookDelivery } from '../../../models/platform/webhooks/webhook-delivery';
import type { WebhookDeliveryRecord } from '../../../models/platform/webhooks/webhook-delivery';
import { WebhookEndpoint } from '../../../models/platform/webhooks/webhook-endpoint';
import type { WebhookEndpointRecord } from '../../../models/platform/webhooks/webhook-endpoint';
import { wakeDeliveries } from './deliveries';
import { emitEvent, getEnqueuedDelivery } from './events';
import { readCursorPage } from '../lists/cursor-pages';
import type { CursorPage, CursorPageRequest } from '../lists/cursor-pages';
import { runIdempotently } from '../transactions/idempotency';
import type { IdempotentUse } from '../transactions/idempotency';
import { getEgressExceptions, getOrganisation } from '../access/organisations';
import type { Platform, Scope } from '../platform';
import { runTransaction } from '../transactions/unit-of-work';
import type { UnitOfWork } from '../transactions/unit-of-work';
import { requireVersion } from '../transactions/versions';
import { toStoredSecret, createWebhookSecret, MAX_ACTIVE_SECRETS, rotateSecrets } from './secrets';
import type { StoredSecret } from './secrets';

export interface NewWebhook {
  url: string;
  events: Subscription[];
  description: string | null;
}

/** Limits the cost of an event. Concurrent creations can exceed the limit by one. */
const MAX_WEBHOOKS = 50;

/** Filter for the webhooks of a scope that are not deleted. */
const buildActiveFilter = ({ organisationId, mode }: Scope) => ({ organisationId, mode, deletedAt: null });

/** Rejects forbidden URLs without a DNS query. The addresses of the host name are checked on every attempt. */
async function requireUsableUrl(platform: Platform, { organisationId }: Scope, url: string): Promise<void> {
  const exceptions = [...platform.config.EGRESS_ALLOW, ...(await getEgressExceptions(organisationId))];
  const inspection = inspectUrl(url, { allow: parseAllowList(exceptions), requireHttps: true });
  if (!('problem' in inspection)) return;
  const reason = describeReason(inspection.problem);
  if (inspection.problem !== 'address_not_public') throw invalidFieldError('url', reason);
  const { slug } = await getOrganisation(organisationId);
  const command = `npm run admin -- allow-egress --organisation ${slug} --add ${formatHostPort(new URL(url))}`;
  throw invalidFieldError('url', `${reason}, unless the operator allows this address with: ${command}`);
}

async function insertWebhook(unit: UnitOfWork, scope: Scope, actor: string, input: NewWebhook) {
  const now = unit.platform.clock.now();
  const id = newId('whk');
  const { secret, stored } = createWebhookSecret(unit.platform.masterKey, scope.organisationId, id, now);
  const [created] = await WebhookEndpoint.create(
    [
      {
        _id: id,
        organisationId: scope.organisationId,
        mode: scope.mode,
        url: input.url,
        description: input.description,
        events: normaliseSubscriptions(input.events),
        secrets: [stored],
        createdAt: now,
        createdBy: actor,
      },
    ],
    { session: unit.mongoSession },
  );
  await unit.audit(scope, { actor, action: 'webhook.created', subject: id, fields: ['url', 'events', 'description'] });
  if (created === undefined) throw new Error('MongoDB returned no document for the created webhook.');
  return { webhook: created.toObject<WebhookEndpointRecord>(), secret };
}

/** A webhook, with its signing secret if this request has created it. */
interface WebhookWithSecret {
  webhook: WebhookEndpointRecord;
  secret: string | null;
}

/**
 * Registers a webhook. Only the first call returns the signing secret; an idempotent repeat returns null.
 * @throws AppError 400 for a URL that may not be called, 409 if there are too many webhooks
 */
export async function createWebhook(
  platform: Platform,
  scope: Scope,
  actor: string,
  input: NewWebhook,
  use: IdempotentUse | undefined,
): Promise<WebhookWithSecret> {
  return runIdempotently<WebhookWithSecret>(
    platform,
    use,
    async (claim) => {
      await requireUsableUrl(platform, scope, input.url);
      return runTransaction(platform, async (unit) => {
        const existing = await WebhookEndpoint.countDocuments(buildActiveFilter(scope)).session(unit.mongoSession);
        if (existing >= MAX_WEBHOOKS) {
          throw conflictError(
            'webhook_limit_reached',
            `The limit of ${MAX_WEBHOOKS} webhooks is reached; delete one that is not needed.`,
          );
        }
        const created = await insertWebhook(unit, scope, actor, input);
        await claim(unit, created.webhook._id, 201);
        return created;
      });
    },
    async (id) => ({ webhook: await getWebhook(scope, id), secret: null }),
  );
}

/**
 * Creates a new signing secret, which only the first call returns; an idempotent repeat returns null. For
 * `overlapSeconds` deliveries are signed with both secrets, so that the receiver can switch without losing one.
 * @throws AppError 404; 409 if too many secrets are valid at the same time
 */
export function rotateWebhookSecret(
  platform: Platform,
  scope: Scope,
  actor: string,
  id: string,
  overlapSeconds: number,
  use: IdempotentUse | undefined,
): Promise<WebhookWithSecret> {
  return runIdempotently<WebhookWithSecret>(
    platform,
    use,
    (claim) =>
      runTransaction(platform, async (unit) => {
        const filter = { _id: id, ...buildActiveFilter(scope) };
        const before = await WebhookEndpoint.findOne(filter).session(unit.mongoSession).lean<WebhookEndpointRecord>();
        if (before === null) throw notFoundError('webhook');
        const now = platform.clock.now();
        const { secret, stored } = createWebhookSecret(platform.masterKey, scope.organisationId, id, now);
        const secrets = rotateSecrets<StoredSecret>(
          before.secrets.map(toStoredSecret),
          stored,
          now,
          overlapSeconds * 1000,
        );
        if (secrets.length > MAX_ACTIVE_SECRETS) {
          const problem = `${MAX_ACTIVE_SECRETS} secrets are in force already; rotate with a shorter overlapSeconds.`;
          throw conflictError('too_many_secrets', problem);
        }
        const webhook = await WebhookEndpoint.findOneAndUpdate(
          filter,
          { $set: { secrets } },
          { session: unit.mongoSession, returnDocument: 'after' },
        ).lean<WebhookEndpointRecord>();
        if (webhook === null) throw notFoundError('webhook');
        await unit.audit(scope, { actor, action: 'webhook.secret_rotated', subject: id, fields: ['secrets'] });
        await claim(unit, id, 200);
        return { webhook, secret };
      }),
    async (webhookId) => ({ webhook: await getWebhook(scope, webhookId), secret: null }),
  );
}

/** @throws AppError 404, also for a webhook of another organisation or mode */
export async function getWebhook(scope: Scope, id: string): Promise<WebhookEndpointRecord> {
  const webhook = await WebhookEndpoint.findOne({ _id: id, ...buildActiveFilter(scope) }).lean<WebhookEndpointRecord>();
  if (webhook === null) throw notFoundError('webhook');
  return webhook;
}

/** What the ETag of a webhook states. */
export const getWebhookVersion = ({ version }: WebhookEndpointRecord): number => version ?? 0;

/** What can be changed of a webhook; undefined leaves a field as it is. */
export type WebhookChanges = { [K in keyof NewWebhook]: NewWebhook[K] | undefined };

/**
 * Changes a webhook. Deliveries in progress go to the new URL from their next attempt, and failures of the former URL no
 * longer count.
 * @param options.ifMatch the version that the client has read; undefined: any version
 * @throws AppError 400 for a URL that may not be called, 404, 412
 */
export async function updateWebhook(
  platform: Platform,
  scope: Scope,
  actor: string,
  { id, ifMatch }: { id: string; ifMatch: number | undefined },
  { url, events, description }: WebhookChanges,
): Promise<WebhookEndpointRecord> {
  if (url !== undefined) await requireUsableUrl(platform, scope, url);
  const changes = {
    ...(url === undefined ? {} : { url }),
    ...(events === undefined ? {} : { events: normaliseSubscriptions(events) }),
    ...(description === undefined ? {} : { description }),
  };
  const fields = Object.keys(changes);
  if (fields.length === 0) return getWebhook(scope, id);
  const filter = { _id: id, ...buildActiveFilter(scope) };
  return runTransaction(platform, async (unit) => {
    const before = await WebhookEndpoint.findOne(filter).session(unit.mongoSession).lean<WebhookEndpointRecord>();
    if (before === null) throw notFoundError('webhook');
    requireVersion(getWebhookVersion(before), ifMatch);
    const isMoved = url !== undefined && url !== before.url;
    const webhook = await WebhookEndpoint.findOneAndUpdate(
      filter,
      { $set: { ...changes, ...(isMoved ? NO_FAILURES : {}) }, $inc: { version: 1 } },
      { session: unit.mongoSession, returnDocument: 'after' },
    ).lean<WebhookEndpointRecord>();
    if (webhook === null) throw notFoundError('webhook');
    await unit.audit(scope, { actor, action: 'webhook.updated', subject: id, fields });
    return webhook;
  });
}

/** Webhooks, newest first. */
export const listWebhooks = (scope: Scope, page: CursorPageRequest): Promise<CursorPage<WebhookEndpointRecord>> =>
  readCursorPage(WebhookEndpoint, buildActiveFilter(scope), page);

/**
 * Deletes a webhook permanently: destroys its secrets and cancels its pending deliveries.
 */
export async function deleteWebhook(platform: Platform, scope: Scope, actor: string, id: string): Promise<void> {
  const now = platform.clock.now();
  const { organisationId, mode } = scope;
  await runTransaction(platform, async (unit) => {
    const deleted = await WebhookEndpoint.updateOne(
      { _id: id, ...buildActiveFilter(scope) },
      { $set: { deletedAt: now, secrets: [] } },
      { session: unit.mongoSession },
    );
    if (deleted.matchedCount === 0) throw notFoundError('webhook');
    await WebhookDelivery.updateMany(
      { organisationId, mode, endpointId: id, status: 'pending' },
      { $set: { status: 'cancelled', reason: 'endpoint_deleted', nextAttemptAt: null, completedAt: now } },
      { session: unit.mongoSession },
    );
    // Their workflow finds none, instead of waiting for the next attempt.
    wakeDeliveries(unit, { webhookId: id, organisationId, mode });
    await unit.audit(scope, { actor, action: 'webhook.deleted', subject: id });
  });
}

/**
 * Emits `webhook.test` to this endpoint only, regardless of its subscriptions.
 * @throws AppError 404, 409 if the endpoint is disabled
 */
export async function sendTestDelivery(
  platform: Platform,
  scope: Scope,
  actor: string,
  id: string,
): Promise<WebhookDeliveryRecord> {
  return runTransaction(platform, async (unit) => {
    const webhook = await WebhookEndpoint.findOne({ _id: id, ...buildActiveFilter(scope) })
      .session(unit.mongoSession)
      .lean<WebhookEndpointRecord>();
    if (webhook === null) throw notFoundError('webhook');
    if (webhook.disabledAt instanceof Date) {
      throw conflictError('webhook_disabled', 'The webhook is disabled; recover it once its receiver responds.');
    }
    await unit.audit(scope, { actor, action: 'webhook.tested', subject: id });
    const event = {
      type: 'webhook.test',
      key: `webhook.test:${newId('evt')}`,
      subjectId: id,
      data: { webhookId: id },
      at: platform.clock.now(),
    } as const;
    const [deliveryId] = await emitEvent(unit, scope, event, { endpointId: id });
    return getEnqueuedDelivery(unit, scope, deliveryId);
  });
}

/**
 * The deliveries of one webhook with every attempt, newest first.
 * @throws AppError 404
 */
export async function listDeliveries(
  scope: Scope,
  webhookId: string,
  statuses: readonly WebhookDeliveryRecord['status'][] | undefined,
  page: CursorPageRequest,
): Promise<CursorPage<WebhookDeliveryRecord>> {
  const webhook = await getWebhook(scope, webhookId);
  const filter = {
    organisationId: scope.organisationId,
    mode: scope.mode,
    endpointId: webhook._id,
    ...(statuses === undefined ? {} : { status: { $in: [...statuses] } }),
  };
  return readCursorPage(WebhookDelivery, filter, page);
}
