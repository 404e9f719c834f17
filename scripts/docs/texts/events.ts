import type { EventData, EventType } from '../../../domain/platform/webhooks/event-types';

export interface EventText {
  when: string;
  data: EventData;
}

const SESSION_ID = 'ses_01JQZ4QXKD0A3C6F9H2J5M8P1R';
const describeSession = (when: string, status: string): EventText => ({
  when,
  data: { sessionId: SESSION_ID, number: 17, status },
});

const INVOICE = {
  invoiceId: 1,
  number: 'INV-2026-000001',
  status: 'issued',
  customerId: 1,
  issueDate: '2026-11-21',
  currencyCode: 'EUR',
  grandTotal: 3683.64,
};

/** When each event is emitted, with an example of its `data`. */
export const EVENTS: Readonly<Record<EventType, EventText>> = {
  'session.created': describeSession('A session is created.', 'not_started'),
  'session.started': describeSession(
    'The first check of a session is submitted, or the first after a resubmission request.',
    'in_progress',
  ),
  'session.completed': describeSession('A session is approved.', 'approved'),
  'session.declined': describeSession('A session is declined.', 'declined'),
  'session.review': describeSession('A session needs a reviewer.', 'in_review'),
  'session.resubmission_requested': describeSession(
    'A reviewer asks for steps to be submitted again.',
    'resubmission_requested',
  ),
  'session.expired': describeSession('A session was not started in time.', 'expired'),
  'session.abandoned': describeSession('A session was idle for too long.', 'abandoned'),
  'session.approval_expired': describeSession('The approval of a session has expired.', 'approval_expired'),
  'session.deleted': {
    when: 'A session is erased.',
    data: { sessionId: SESSION_ID, number: 17, erasureId: 'era_01JQZ4QXKD0A3C6F9H2J5M8P1R' },
  },
  'check.completed': {
    when: 'A check has ended, also when it failed. `sessionId` is null for a stand-alone check.',
    data: {
      checkId: 'chk_01JQZ4QXKD0A3C6F9H2J5M8P1R',
      kind: 'id_verification',
      sessionId: SESSION_ID,
      status: 'completed',
      outcome: 'approved',
    },
  },
  'aml.alert': {
    when: 'A monitored subject has new hits after a watch list changed.',
    data: {
      monitorId: 'mon_01JQZ4QXKD0A3C6F9H2J5M8P1R',
      screeningId: 'aml_01JQZ4QXKD0A3C6F9H2J5M8P1R',
      newHits: 1,
      score: 92,
      match: true,
    },
  },
  'kyb.completed': {
    when: 'A business check has ended, also when it failed.',
    data: { kybId: 'kyb_01JQZ4QXKD0A3C6F9H2J5M8P1R', status: 'found', provider: 'gleif' },
  },
  'export.completed': {
    when: 'The file of an export can be downloaded.',
    data: { exportId: 3, resource: 'invoices', format: 'csv', rows: 1250, failure: null },
  },
  'export.failed': {
    when: 'An export was given up.',
    data: { exportId: 4, resource: 'invoices', format: 'zip-pdf', rows: 0, failure: 'too_many_documents' },
  },
  'invoice.issued': { when: 'An invoice is issued.', data: INVOICE },
  'invoice.paid': { when: 'An invoice has no open amount left.', data: { ...INVOICE, status: 'paid' } },
  'invoice.voided': { when: 'An invoice is voided.', data: { ...INVOICE, status: 'void' } },
  'credit_note.issued': {
    when: 'A credit note is issued.',
    data: {
      creditNoteId: 1,
      number: 'CN-2026-000001',
      invoiceId: 1,
      customerId: 1,
      issueDate: '2026-11-21',
      currencyCode: 'EUR',
      grandTotal: 120,
    },
  },
  'payment.received': {
    when: "A customer's payment is registered.",
    data: { paymentId: 1, customerId: 1, date: '2026-11-21', currencyCode: 'EUR', amount: 3683.64 },
  },
  'stock.low': {
    when: 'A movement takes the stock of an active product from above its `reorderLevel` to it or below.',
    data: { productId: 1, quantity: 4, reorderLevel: 5 },
  },
  'webhook.test': {
    when: 'A test delivery is requested (`POST /v1/webhooks/:id/test`).',
    data: { webhookId: 'whk_01JQZ4QXKD0A3C6F9H2J5M8P1R' },
  },
};
