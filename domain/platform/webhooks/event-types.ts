/** Event types of webhooks, in the order of the documentation. */
export const EVENT_TYPES = [
  'session.created',
  'session.started',
  'session.completed',
  'session.declined',
  'session.review',
  'session.resubmission_requested',
  'session.expired',
  'session.abandoned',
  'session.cancelled',
  'session.approval_expired',
  'session.deleted',
  'check.completed',
  'aml.alert',
  'kyb.completed',
  'export.completed',
  'export.failed',
  'invoice.issued',
  'invoice.paid',
  'invoice.voided',
  'credit_note.issued',
  'payment.received',
  'stock.low',
  'message.sent',
  'message.failed',
  'message.bounced',
  'tax_id.verified',
  'webhook.test',
] as const;

export type EventType = (typeof EVENT_TYPES)[number];

/** Subscription to all event types, including those added later. */
export const ALL_EVENTS = '*';

export type Subscription = EventType | typeof ALL_EVENTS;

type EventValue = string | number | boolean | null | readonly EventValue[] | { readonly [name: string]: EventValue };

/**
 * Payload of an event: ids, numbers, statuses and codes. The receiver reads the record with its own credential, so a
 * delivery never contains personal data, unless the client puts some into the external id of a session.
 */
export type EventData = Record<string, EventValue>;

/** The body of a delivery. `timestamp` is the time of the event, ISO 8601 in UTC, the same for every attempt. */
export interface DeliveryBody {
  type: EventType;
  /** Mode of the record that the event is about; business records have only live mode. */
  mode: 'live' | 'test';
  timestamp: string;
  data: EventData;
}

/** All accepted subscriptions. */
export const SUBSCRIPTIONS: readonly [Subscription, ...Subscription[]] = [ALL_EVENTS, ...EVENT_TYPES];

/** Removes repetitions and sorts by documentation order; `*` replaces all others. */
export const normaliseSubscriptions = (names: readonly Subscription[]): Subscription[] => {
  const selected = new Set<string>(names);
  return selected.has(ALL_EVENTS) ? [ALL_EVENTS] : EVENT_TYPES.filter((type) => selected.has(type));
};

/** Whether a webhook with these subscriptions receives events of a type. */
export const isSubscribed = (subscriptions: readonly string[], type: EventType): boolean =>
  subscriptions.includes(ALL_EVENTS) || subscriptions.includes(type);
