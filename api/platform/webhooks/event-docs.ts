import type { RiskCode } from '../../../domain/identity/checks/risks';
import type { EventType } from '../../../domain/platform/webhooks/event-types';
import type { EventPayload } from '../../../services/platform/webhooks/event-payloads';

interface EventDoc<T extends EventType> {
  /** When the event is emitted. */
  summary: string;
  example: EventPayload<T>;
}

const sessionIds = { sessionId: 'ses_01JQZ4QXKD0A3C6F9H2J5M8P1R', number: 17 };

const session = {
  ...sessionIds,
  mode: 'live',
  externalId: 'customer-4711',
  workflowId: 'wfl_01JQZ4QXKD0A3C6F9H2J5M8P1R',
  workflowVersion: 2,
  decision: null,
} as const;

const decide = <const S extends string>(outcome: S, reasons: RiskCode[] = []) => ({
  status: outcome,
  decision: { outcome, reasons, decidedBy: 'rules' as const, rule: null },
});

const check = {
  checkId: 'chk_01JQZ4R8W3M6N9P2T5V8X1Y4Z7',
  kind: 'face_match',
  sessionId: session.sessionId,
  externalId: session.externalId,
  status: 'completed',
  outcome: 'approved',
} as const;

const dataExport = { exportId: 1, resource: 'invoices', format: 'csv', rows: 1284, failure: null } as const;

const invoice = {
  invoiceId: 42,
  number: 'INV-2026-0042',
  customerId: 7,
  issueDate: '2026-11-21',
  currencyCode: 'EUR',
  grandTotal: 1190,
};

const message = {
  messageId: 'msg_01JQZ4R8W3M6N9P2T5V8X1Y4Z7',
  kind: 'invoice',
  documentId: 42,
  customerId: 7,
  level: null,
  reason: null,
} as const;

/** Documentation of every webhook event. */
export const EVENT_DOCS: { [T in EventType]: EventDoc<T> } = {
  'session.created': {
    summary: 'A session was created.',
    example: { ...session, status: 'not_started' },
  },
  'session.started': {
    summary: 'The first check of a session was submitted, or the first check after a resubmission request.',
    example: { ...session, status: 'in_progress' },
  },
  'session.completed': {
    summary: 'A session was approved.',
    example: { ...session, ...decide('approved') },
  },
  'session.declined': {
    summary: 'A session was declined.',
    example: { ...session, ...decide('declined', ['document_expired']) },
  },
  'session.review': {
    summary: 'A session needs the decision of a reviewer.',
    example: { ...session, ...decide('in_review', ['image_blurred']) },
  },
  'session.resubmission_requested': {
    summary: 'A reviewer requested new attempts at steps of a session.',
    example: { ...session, status: 'resubmission_requested' },
  },
  'session.expired': {
    summary: 'A session was not started before its link expired.',
    example: { ...session, status: 'expired' },
  },
  'session.abandoned': {
    summary: 'A started session was not continued in time.',
    example: { ...session, status: 'abandoned' },
  },
  'session.cancelled': {
    summary: 'A session was cancelled by the client before its decision.',
    example: { ...session, status: 'cancelled' },
  },
  'session.approval_expired': {
    summary: 'The validity period of an approval ended.',
    example: { ...session, status: 'approval_expired' },
  },
  'session.deleted': {
    summary: 'A session was deleted and its personal data erased.',
    example: { ...sessionIds, erasureId: 'era_01JQZ6C3V5X8Z1B4D7F0H3K6M9' },
  },
  'check.completed': {
    summary: 'A check has ended, completed or failed.',
    example: check,
  },
  'aml.alert': {
    summary: 'Ongoing monitoring found new hits for a subject.',
    example: {
      monitorId: 'mon_01JQZ7A2B4D6F8H0K2M4P6R8T0',
      screeningId: 'aml_01JQZ7A9C1E3G5J7M9P1R3T5V7',
      kybId: null,
      newHits: 1,
      score: 92,
      match: true,
    },
  },
  'kyb.completed': {
    summary: 'A business check has ended.',
    example: { kybId: 'kyb_01JQZ7E5X8Z1C4F7J0M3P6R9T2', status: 'found', provider: 'companies_house' },
  },
  'export.completed': {
    summary: 'The file of an export is ready for download.',
    example: dataExport,
  },
  'export.failed': {
    summary: 'An export failed.',
    example: { ...dataExport, rows: 500, failure: 'rendering_failed' },
  },
  'invoice.issued': {
    summary: 'An invoice was issued.',
    example: { ...invoice, status: 'issued' },
  },
  'invoice.paid': {
    summary: 'An invoice was settled in full by payments and credit.',
    example: { ...invoice, status: 'paid' },
  },
  'invoice.voided': {
    summary: 'An invoice was voided.',
    example: { ...invoice, status: 'void' },
  },
  'credit_note.issued': {
    summary: 'A credit note was issued.',
    example: { ...invoice, creditNoteId: 3, number: 'CN-2026-0003', grandTotal: 119 },
  },
  'payment.received': {
    summary: 'A payment of a customer was registered.',
    example: { paymentId: 11, customerId: 7, date: '2026-11-28', currencyCode: 'EUR', amount: 1190 },
  },
  'message.sent': {
    summary: 'A mail server accepted an e-mail.',
    example: message,
  },
  'message.failed': {
    summary: 'An e-mail could not be sent: it was rejected, or its last attempt failed.',
    example: { ...message, reason: 'rejected' },
  },
  'message.bounced': {
    summary: 'A delivery report says that the recipient did not get an e-mail.',
    example: { ...message, reason: 'delivery_failed' },
  },
  'tax_id.verified': {
    summary: 'VIES has said whether a VAT identifier is valid.',
    example: {
      verificationId: 'txv_01JQZ5D7F9H1K3M5P7R9T1V3X5',
      holder: 'customer',
      holderId: 7,
      status: 'valid',
    },
  },
  'stock.low': {
    summary: 'The stock of a product fell to its reorder level or below.',
    example: { productId: 1, quantity: 9, reorderLevel: 10 },
  },
  'webhook.test': {
    summary: 'A test delivery was requested.',
    example: { webhookId: 'whk_01JQZ5D7F9H1K3M5P7R9T1V3X5' },
  },
};
