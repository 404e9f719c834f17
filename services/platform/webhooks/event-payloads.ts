import { z } from 'zod';
import { EXPORT_FORMATS, EXPORT_RESOURCES } from '../../../domain/business/exports/exports';
import { MESSAGE_KINDS, MESSAGE_REASONS } from '../../../domain/business/messages/message';
import { TAX_ID_HOLDERS } from '../../../domain/business/parties/tax-id-verification';
import { INVOICE_STATUSES } from '../../../domain/business/invoices/invoice';
import { CHECK_KINDS, CHECK_STATUSES } from '../../../domain/identity/checks/checks';
import { VERDICTS } from '../../../domain/identity/checks/risks';
import { KYB_PROVIDERS, KYB_STATUSES } from '../../../domain/identity/kyb/company';
import { RISK_CODES } from '../../../domain/identity/checks/risks';
import { SESSION_STATUSES } from '../../../domain/identity/sessions/session';
import type { EventType } from '../../../domain/platform/webhooks/event-types';

/** The payload (`data`) of every event type: ids, numbers, statuses and codes; never personal data. */

const session = z.object({
  sessionId: z.string(),
  number: z.number().int().meta({ description: 'Number of the session within the organisation and mode.' }),
  mode: z.enum(['live', 'test']),
  status: z.enum(SESSION_STATUSES).meta({ description: 'Status of the session after the event.' }),
  externalId: z.string().nullable().meta({ description: "The client's own id of the person or case." }),
  workflowId: z.string().nullable().meta({ description: 'Session workflow that the session started with.' }),
  workflowVersion: z.number().int().nullable(),
  decision: z
    .object({
      outcome: z.enum(SESSION_STATUSES),
      reasons: z.array(z.enum(RISK_CODES)),
      decidedBy: z.enum(['rules', 'reviewer']),
      rule: z.string().nullable().meta({ description: "Id of the workflow's rule that decided; null if none did." }),
    })
    .nullable()
    .meta({ description: 'Latest decision; null before the first.' }),
});

const deletedSession = z.object({
  sessionId: z.string(),
  number: z.number().int().meta({ description: 'Number of the session within the organisation and mode.' }),
  erasureId: z.string().meta({ description: 'Id of the erasure receipt.' }),
});

const check = z.object({
  checkId: z.string(),
  kind: z.enum(CHECK_KINDS),
  sessionId: z.string().nullable().meta({ description: 'Null for a standalone check.' }),
  externalId: z.string().nullable().meta({ description: 'External id of the session, if it has one.' }),
  status: z.enum(CHECK_STATUSES),
  outcome: z.enum(VERDICTS).nullable().meta({ description: 'Null if the check failed.' }),
});

const amlAlert = z.object({
  monitorId: z.string(),
  screeningId: z.string(),
  kybId: z.string().nullable().meta({ description: 'Business check of the monitored party; null for other subjects.' }),
  newHits: z.number().int().meta({ description: 'Number of hits that the previous screening did not have.' }),
  score: z.number().meta({ description: 'Highest score of the new hits.' }),
  match: z.boolean().nullable(),
});

const kybCheck = z.object({
  kybId: z.string(),
  status: z.enum(KYB_STATUSES),
  provider: z.enum(KYB_PROVIDERS).nullable().meta({ description: 'Provider of the result, if any.' }),
});

const dataExport = z.object({
  exportId: z.number().int(),
  resource: z.enum(EXPORT_RESOURCES),
  format: z.enum(EXPORT_FORMATS),
  rows: z.number().int().meta({ description: 'Number of rows written.' }),
  failure: z.string().nullable().meta({ description: 'Error code of a failed export.' }),
});

const documentFields = {
  number: z.string().meta({ description: 'Document number.' }),
  customerId: z.number().int(),
  issueDate: z.iso.date(),
  currencyCode: z.string(),
  grandTotal: z.number(),
};

const invoice = z.object({ invoiceId: z.number().int(), status: z.enum(INVOICE_STATUSES), ...documentFields });

const creditNote = z.object({ creditNoteId: z.number().int(), invoiceId: z.number().int(), ...documentFields });

const payment = z.object({
  paymentId: z.number().int(),
  customerId: z.number().int(),
  date: z.iso.date(),
  currencyCode: z.string(),
  amount: z.number(),
});

const lowStock = z.object({
  productId: z.number().int(),
  quantity: z.number().meta({ description: 'Quantity on hand after the movement, in all warehouses.' }),
  reorderLevel: z.number(),
});

const message = z.object({
  messageId: z.string(),
  kind: z.enum(MESSAGE_KINDS),
  documentId: z
    .number()
    .int()
    .nullable()
    .meta({ description: 'Id of the invoice or credit note, or of the content of the statement.' }),
  customerId: z.number().int().nullable(),
  level: z.number().int().nullable().meta({ description: 'Level of a reminder.' }),
  reason: z
    .enum(MESSAGE_REASONS)
    .nullable()
    .meta({ description: 'Why it was not delivered, also to some recipients alone; null if it was sent to all.' }),
});

const taxIdVerification = z.object({
  verificationId: z.string(),
  holder: z.enum(TAX_ID_HOLDERS),
  holderId: z.number().int().nullable().meta({ description: 'Id of the customer or vendor; null for the company.' }),
  status: z.enum(['valid', 'invalid']),
});

export const EVENT_PAYLOAD_SCHEMAS = {
  'session.created': session,
  'session.started': session,
  'session.completed': session,
  'session.declined': session,
  'session.review': session,
  'session.resubmission_requested': session,
  'session.expired': session,
  'session.abandoned': session,
  'session.cancelled': session,
  'session.approval_expired': session,
  'session.deleted': deletedSession,
  'check.completed': check,
  'aml.alert': amlAlert,
  'kyb.completed': kybCheck,
  'export.completed': dataExport,
  'export.failed': dataExport,
  'invoice.issued': invoice,
  'invoice.paid': invoice,
  'invoice.voided': invoice,
  'credit_note.issued': creditNote,
  'payment.received': payment,
  'stock.low': lowStock,
  'message.sent': message,
  'message.failed': message,
  'message.bounced': message,
  'tax_id.verified': taxIdVerification,
  'webhook.test': z.object({ webhookId: z.string() }),
} as const satisfies Record<EventType, z.ZodObject>;

export type EventPayload<T extends EventType> = z.input<(typeof EVENT_PAYLOAD_SCHEMAS)[T]>;
