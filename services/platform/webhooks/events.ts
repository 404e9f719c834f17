import { ALL_EVENTS } from '../../../domain/platform/webhooks/event-types';
import type { DeliveryBody, EventType } from '../../../domain/platform/webhooks/event-types';
import { withLogContext } from '../../../lib/context';
import { newId } from '../../../lib/ids';
import { WebhookDelivery } from '../../../models/platform/webhooks/webhook-delivery';
import { WebhookEndpoint } from '../../../models/platform/webhooks/webhook-endpoint';
import { WebhookEvent } from '../../../models/platform/webhooks/webhook-event';
import { workflowIds } from '../../../workflows/contracts';
import type { Scope } from '../platform';
import type { UnitOfWork } from '../transactions/unit-of-work';
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
  /** The request that caused the change. @default the current request */
  requestId?: string | undefined;
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
  const eventsWithIds = events.map((event) => ({ id: newId('evt'), event }));
  // Upserts, because a duplicate-key error would abort the caller's transaction.
  const written = await WebhookEvent.bulkWrite(
    eventsWithIds.map(({ id, event }) => {
      const content: DeliveryBody = { type: event.type, timestamp: event.at.toISOString(), data: event.data };
      return {
        updateOne: {
          filter: { organisationId, mode, key: event.key },
          update: {
            $setOnInsert: {
              _id: id,
              type: event.type,
              subjectId: event.subjectId,
              occurredAt: event.at,
              body: JSON.stringify(content),
              createdAt: event.at,
            },
          },
          upsert: true,
        },
      };
    }),
    { session: unit.mongoSession },
  );
  return eventsWithIds.filter((_, index) => index in written.upsertedIds);
}

/**
 * Finds the endpoints to deliver to. Reads outside the transaction, since no write of the transaction depends on it and
 * the statements of a transaction cannot run in parallel.
 */
async function findSubscribedEndpoints(scope: Scope, type: EventType, audience: EventAudience): Promise<string[]> {
  const enabled = { organisationId: scope.organisationId, mode: scope.mode, deletedAt: null, disabledAt: null };
  const audienceFilter =
    audience === 'subscribers' ? { events: { $in: [type, ALL_EVENTS] } } : { _id: audience.endpointId };
  const endpoints = await WebhookEndpoint.find({ ...enabled, ...audienceFilter }, { _id: 1 }).lean<{ _id: string }[]>();
  return endpoints.map((endpoint) => endpoint._id);
}

/**
 * Emits an event within the caller's transaction: writes the event, one delivery for each enabled endpoint that
 * subscribes to it, and the outbox rows that start the delivery workflows.
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
    findSubscribedEndpoints(scope, type, audience),
    writeEvents(unit, scope, events),
  ]);
  const deliveries: string[] = [];
  for (const { id, event } of written) {
    const writtenEvent = { id, type, subjectId: event.subjectId };
    const enqueue = () => enqueueDeliveries(unit, scope, writtenEvent, endpointIds, event.at);
    const { requestId } = event;
    deliveries.push(...(await (requestId === undefined ? enqueue() : withLogContext({ requestId }, enqueue))));
  }
  return deliveries;
}

/** An event stored in MongoDB. */
export interface WrittenEvent {
  id: string;
  type: EventType;
  subjectId: string;
}

/**
 * Writes one delivery of the event for each endpoint and enqueues the start of its workflow.
 * @returns the ids of the deliveries, in the order of the endpoints
 */
export async function enqueueDeliveries(
  unit: UnitOfWork,
  scope: Scope,
  event: WrittenEvent,
  endpointIds: readonly string[],
  at: Date,
): Promise<string[]> {
  const deliveries = endpointIds.map((endpointId) => ({
    _id: newId('dlv'),
    organisationId: scope.organisationId,
    mode: scope.mode,
    endpointId,
    eventId: event.id,
    eventType: event.type,
    subjectId: event.subjectId,
    status: 'pending' as const,
    createdAt: at,
    nextAttemptAt: at,
  }));
  if (deliveries.length === 0) return [];
  await WebhookDelivery.insertMany(deliveries, { session: unit.mongoSession });
  for (const delivery of deliveries) {
    await unit.start(scope.organisationId, {
      workflow: 'webhookDelivery',
      workflowId: workflowIds.webhookDelivery(delivery._id),
      argument: { deliveryId: delivery._id, organisationId: scope.organisationId },
      summary: `${event.type} to ${delivery.endpointId}`,
    });
  }
  return deliveries.map((delivery) => delivery._id);
}
