import { ALL_EVENTS } from '../../../domain/platform/webhooks/event-types';
import type { DeliveryBody, EventData, EventType } from '../../../domain/platform/webhooks/event-types';
import { withLogContext } from '../../../lib/context';
import { newId } from '../../../lib/ids';
import { WebhookDelivery } from '../../../models/platform/webhooks/webhook-delivery';
import { WebhookEndpoint } from '../../../models/platform/webhooks/webhook-endpoint';
import { WebhookEvent } from '../../../models/platform/webhooks/webhook-event';
import { workflowIds } from '../../../workflows/contracts';
import type { Scope } from '../platform';
import type { UnitOfWork } from '../transactions/unit-of-work';

/** Something that happened to a record, to be told to whoever subscribes. */
export interface DomainEvent {
  type: EventType;
  /** Ids, numbers, statuses and codes; never a name, an image or a document number. */
  data: EventData;
  /**
   * Names the change, unique within organisation and mode, such as `session.declined:ses_…:3`. The same key is told
   * once, however often it is emitted.
   */
  key: string;
  /** The record the event is about; erasing that record erases the event's body. */
  subjectId: string;
  /** When it happened: the instant the record carries. */
  at: Date;
  /** The request it happened in. @default the current one */
  requestId?: string | undefined;
}

/** Whom to tell: every subscriber, or one endpoint alone whatever it subscribes to (a test delivery). */
export type EventAudience = { endpointId: string } | 'subscribers';

/** The rows of events; those whose key has been told before are left out of what it returns. */
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
 * Who is to be told. Read beside the transaction: no write conflicts with it, so the transaction's snapshot would be no
 * better, and its other statements need not wait.
 */
async function findSubscribedEndpoints(scope: Scope, type: EventType, audience: EventAudience): Promise<string[]> {
  const enabled = { organisationId: scope.organisationId, mode: scope.mode, deletedAt: null, disabledAt: null };
  const audienceFilter =
    audience === 'subscribers' ? { events: { $in: [type, ALL_EVENTS] } } : { _id: audience.endpointId };
  const endpoints = await WebhookEndpoint.find({ ...enabled, ...audienceFilter }, { _id: 1 }).lean<{ _id: string }[]>();
  return endpoints.map((endpoint) => endpoint._id);
}

/**
 * Tells an event within the caller's transaction: the event's row, one delivery for each enabled endpoint that
 * subscribes to it, and the start of each delivery's workflow, all or nothing with the caller's own writes.
 *
 * Business events are told in mode live.
 *
 * @returns the ids of the deliveries; none when nobody listens or the key has been told before.
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

/** An event that has been written. */
export interface WrittenEvent {
  id: string;
  type: EventType;
  subjectId: string;
}

/**
 * Writes one delivery of the event for each endpoint and owes the start of each delivery's workflow.
 * @returns the ids of the deliveries, in the order of the endpoints.
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
