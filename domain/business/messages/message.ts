/** What a message is about. */
export const MESSAGE_KINDS = ['invoice', 'credit_note', 'reminder', 'statement', 'test'] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number];

/** queued → sent → bounced; queued → failed or cancelled; failed or bounced → queued. Of a message, and of each of its recipients. */
export const MESSAGE_STATUSES = ['queued', 'sent', 'bounced', 'failed', 'cancelled'] as const;
export type MessageStatus = (typeof MESSAGE_STATUSES)[number];

/** Statuses of a message that not every recipient got, which can be sent to those again. */
export const UNDELIVERED = ['failed', 'bounced'] as const satisfies readonly MessageStatus[];

/** Whether a message or one of its recipients has ended without having been delivered, and can be queued again. */
export const isUndelivered = (status: MessageStatus): boolean =>
  UNDELIVERED.some((undelivered) => undelivered === status);

/** Why a message was not delivered, or not sent. */
export const MESSAGE_REASONS = [
  /** The server refused the message or its recipient. */
  'rejected',
  /** The server was not reachable, or asked for a later attempt, until the last attempt. */
  'attempts_exhausted',
  /** The settings of the company were removed before the message was sent. */
  'email_not_configured',
  /** The files of the document could not be made. */
  'attachment_failed',
  /** The server accepted the message for some recipients, and others did not get it. */
  'some_recipients_failed',
  /** A delivery report says that a recipient did not get the message. */
  'delivery_failed',
  /** Nothing was open any more when a reminder was about to be sent. */
  'invoice_settled',
  /** What is open changed, such as by a part payment, before a reminder that states it was sent. */
  'open_amount_changed',
  /** Reminders of the invoice or its customer were paused when one was about to be sent. */
  'reminders_paused',
  /** Credit of the customer covered the invoice when a reminder was about to be sent. */
  'credit_available',
  /** The invoice was voided before the message was sent. */
  'cancelled',
  'erased',
] as const;
export type MessageReason = (typeof MESSAGE_REASONS)[number];

/** Outcome of one attempt; `started` until it is known. */
export const ATTEMPT_RESULTS = ['started', 'accepted', 'deferred', 'rejected', 'unknown'] as const;
export type AttemptResult = (typeof ATTEMPT_RESULTS)[number];
