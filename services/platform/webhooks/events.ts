import { notFoundError } from '../../../domain/errors';
import { isSubscribed } from '../../../domain/platform/webhooks/event-types';
import type { DeliveryBody, EventType } from '../../../domain/platform/webhooks/event-types';
import { newId } from '../../../lib/ids';
import { getTraceparent } from '../../../lib/trace-context';
import { WebhookDelivery } from '../../../models/platform/webhooks/webhook-delivery';
import type { WebhookDeliveryRecord } from '../../../models/platform/webhooks/webhook-delivery';
import { WebhookEndpoint } from '../../../models/platform/webhooks/webhook-endpoint';
import type { WebhookEndpointRecord } from '../../../models/platform/webhooks/webhook-endpoint';
import { WebhookEvent } from '../../../models/platform/webhooks/webhook-event';
import type { Scope } from '../platform';
import type { UnitOfWork } from '../transactions/unit-of-work';
import { wakeDeliveries } from './deliveries';
import { storeEventBody } from './event-bodies';
import type { EventPayload } from './event-payloads';

interface EventOf<T extends EventType> {
  type: T;
  data: EventPayload<T>;
  /**
   * Identifies the change within organisation and mode, such as `session.declined:ses_…:3`. An event is written once per
   * key, however often it is emitted.
   */
  key: string;
  /** The record that the event is about; erasing the record erases the body of the event. */
  subjectId: string;
  /** When the change happened: the instant stored in the record. */
  at: Date;
}

/** A change to a record that is delivered to subscribed webhooks. */
export type DomainEvent = { [T in EventType]: EventOf<T> }[EventType];

/** The recipients: all subscribers, or one endpoint regardless of its subscriptions (a test delivery). */
export type EventAudience = { endpointId: string } | 'subscribers';

/** Writes the rows of events and returns those whose key is new. */
async function writeEvents(
  unit: UnitOfWork,
  scope: Scope,
  events: readonly DomainEvent[],
): Promise<{ id: string; event: DomainEvent }[]> {
  const { organisationId, mode } = scope;
  const eventsWithIds: { id: string; event: DomainEvent; body: string }[] = [];
  for (const event of events) {
    const content: DeliveryBody = { type: event.type, mode, timestamp: event.at.toISOString(), data: event.data };
    const body = await storeEventBody(unit.platform, unit.mongoSession, scope, event.subjectId, content);
    eventsWithIds.push({ id: newId('evt'), event, body });
  }
  // Upserts, because a duplicate-key error would abort the caller's transaction.
  const written = await WebhookEvent.bulkWrite(
    eventsWithIds.map(({ id, event, body }) => ({
      updateOne: {
        filter: { organisationId, mode, key: event.key },
        update: {
          $setOnInsert: {
            _id: id,
            type: event.type,
            subjectId: event.subjectId,
            occurredAt: event.at,
            body,
            createdAt: event.at,
          },
        },
        upsert: true,
      },
    })),
    { session: unit.mongoSession },
  );
  return eventsWithIds.filter((_, index) => index in written.upsertedIds);
}

type Subscriber = Pick<WebhookEndpointRecord, '_id' | 'events'>;

/** The enabled endpoints that a transaction has read, by organisation and mode: it may emit several events. */
const endpointsByUnit = new WeakMap<UnitOfWork, Map<string, Promise<Subscriber[]>>>();

/**
 * Reads the enabled endpoints, once in a transaction. Reads outside the transaction, since no write of the transaction
 * depends on it and the statements of a transaction cannot run in parallel.
 */
function readEndpoints(unit: UnitOfWork, { organisationId, mode }: Scope): Promise<Subscriber[]> {
  const known = endpointsByUnit.get(unit) ?? new Map<string, Promise<Subscriber[]>>();
  endpointsByUnit.set(unit, known);
  const name = `${organisationId}/${mode}`;
  const enabled = { organisationId, mode, deletedAt: null, disabledAt: null };
  const reading = known.get(name) ?? WebhookEndpoint.find(enabled, { events: 1 }).lean<Subscriber[]>().exec();
  known.set(name, reading);
  return reading;
}

/** Finds the endpoints to deliver to. */
async function findSubscribedEndpoints(
  unit: UnitOfWork,
  scope: Scope,
  type: EventType,
  audience: EventAudience,
): Promise<string[]> {
  const isAddressed = ({ _id, events }: Subscriber): boolean =>
    audience === 'subscribers' ? isSubscribed(events, type) : _id === audience.endpointId;
  return (await readEndpoints(unit, scope)).filter(isAddressed).map(({ _id }) => _id);
}

/**
 * Emits an event within the caller's transaction: writes the event, one delivery for each enabled endpoint that
 * subscribes to it, and the outbox rows that have them delivered.
 *
 * Business events are emitted in live mode.
 *
 * @returns the ids of the deliveries; empty if no endpoint subscribes or the key was emitted before
 */
export async function emitEvent(
  unit: UnitOfWork,
  scope: Scope,
  event: DomainEvent,
  audience: EventAudience = 'subscribers',
): Promise<string[]> {
  return emitEvents(unit, scope, event.type, [event], audience);
}

/** {@link emitEvent} for several events of one type. */
export async function emitEvents(
  unit: UnitOfWork,
  scope: Scope,
  type: EventType,
  events: readonly DomainEvent[],
  audience: EventAudience = 'subscribers',
): Promise<string[]> {
  const [endpointIds, written] = await Promise.all([
    findSubscribedEndpoints(unit, scope, type, audience),
    writeEvents(unit, scope, events),
  ]);
  const writtenEvents = written.map(({ id, event: { subjectId, at } }) => ({ id, type, subjectId, at }));
  return enqueueDeliveries(unit, scope, writtenEvents, endpointIds);
}

/** An event stored in MongoDB that is to be delivered. */
export interface EventToDeliver {
  id: string;
  type: EventType;
  subjectId: string;
  /** Time of its deliveries. */
  at: Date;
}

/**
 * Writes one delivery of each event for each endpoint and enqueues waking the workflows of the endpoints.
 * @returns the ids of the deliveries, in the order of the events and endpoints
 */
export async function enqueueDeliveries(
  unit: UnitOfWork,
  scope: Scope,
  events: readonly EventToDeliver[],
  endpointIds: readonly string[],
): Promise<string[]> {
  const { organisationId, mode } = scope;
  const deliveries = events.flatMap((event) =>
    endpointIds.map((endpointId) => ({
      _id: newId('dlv'),
      organisationId,
      mode,
      endpointId,
      eventId: event.id,
      eventType: event.type,
      subjectId: event.subjectId,
      status: 'pending' as const,
      reason: null,
      attempts: [],
      nextAttemptAt: event.at,
      completedAt: null,
      createdAt: event.at,
      traceparent: getTraceparent(),
    })),
  );
  if (deliveries.length === 0) return [];
  await WebhookDelivery.insertMany(deliveries, { session: unit.mongoSession, lean: true });
  for (const { eventType: event, subjectId, endpointId: webhookId } of deliveries) {
    unit.deliveries.push({ event, subjectId, webhookId });
  }
  for (const webhookId of endpointIds) wakeDeliveries(unit, { webhookId, organisationId, mode });
  return deliveries.map(({ _id }) => _id);
}

/**
 * A delivery that this transaction has enqueued, as it is before its first attempt, however soon that follows the commit.
 * @throws AppError 404
 */
export async function getEnqueuedDelivery(
  unit: UnitOfWork,
  { organisationId, mode }: Scope,
  deliveryId: string | undefined,
): Promise<WebhookDeliveryRecord> {
  const delivery =
    deliveryId === undefined
      ? null
      : await WebhookDelivery.findOne({ _id: deliveryId, organisationId, mode })
          .session(unit.mongoSession)
          .lean<WebhookDeliveryRecord>();
  if (delivery === null) throw notFoundError('delivery');
  return delivery;
}
