/** Every event a webhook may subscribe to, in the order the documentation lists them. */
export const EVENT_TYPES = [
  'session.created',
  'session.started',
  'session.completed',
  'session.declined',
  'session.review',
  'session.resubmission_requested',
  'session.expired',
  'session.abandoned',
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
  'webhook.test',
] as const;

export type EventType = (typeof EVENT_TYPES)[number];

/** Subscribes to every event, also to those added later. */
export const ALL_EVENTS = '*';

export type Subscription = EventType | typeof ALL_EVENTS;

/**
 * What an event says about its subject: ids, numbers, statuses and codes. The receiver fetches the rest with its own
 * credential, so a delivery never carries personal data.
 */
export type EventData = Record<string, string | number | boolean | null>;

/** The body of a delivery. `timestamp` is when the event happened, ISO 8601 in UTC, the same on every attempt. */
export interface DeliveryBody {
  type: EventType;
  timestamp: string;
  data: EventData;
}

/** All that a subscription may name. */
export const SUBSCRIPTIONS: readonly [Subscription, ...Subscription[]] = [ALL_EVENTS, ...EVENT_TYPES];

/** Without repetitions, in catalogue order; `*` swallows the rest. */
export const normaliseSubscriptions = (names: readonly Subscription[]): Subscription[] => {
  const selected = new Set<string>(names);
  return selected.has(ALL_EVENTS) ? [ALL_EVENTS] : EVENT_TYPES.filter((type) => selected.has(type));
};

export const isSubscribed = (subscriptions: readonly Subscription[], type: EventType): boolean =>
  subscriptions.includes(ALL_EVENTS) || subscriptions.includes(type);
