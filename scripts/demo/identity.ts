import { readObject, readText } from './client';
import type { Client, File, Json } from './client';
import type { Report } from './report';
import type { WebhookReceiver } from './webhook-receiver';
import { MINUTE_MS } from '../../domain/durations';

// An installation in use has other work in its queues.
const WEBHOOK_TIMEOUT_MS = 2 * MINUTE_MS;
const DECISION_TIMEOUT_MS = 3 * MINUTE_MS;

export interface DemoPerson {
  /** Name of the run in the table, such as `same person`. */
  label: string;
  passport: File;
  selfie: File;
}

interface IdentityDemo {
  client: Client;
  report: Report;
  receiver: WebhookReceiver;
  secret: string;
  workflowLink: (workflowId: string) => string;
  /** Id of the session workflow of the demonstration. */
  sessionWorkflowId: string;
  api: string;
}

const FINAL = ['approved', 'declined', 'in_review'];

const formatReasons = (session: Json): string => {
  const decision = session['decision'];
  const reasons = typeof decision === 'object' && decision !== null ? (decision as Json)['reasons'] : [];
  return Array.isArray(reasons) && reasons.length > 0 ? ` (${reasons.join(', ')})` : '';
};

async function waitForDecision(client: Client, sessionId: string): Promise<Json> {
  const deadline = Date.now() + DECISION_TIMEOUT_MS;
  for (;;) {
    const session = readObject(await client.json('GET', `/v1/sessions/${sessionId}`), 'session');
    if (FINAL.includes(readText(session, 'status'))) return session;
    if (Date.now() > deadline) throw new Error(`Session ${sessionId} is still ${readText(session, 'status')}.`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** External id of all sessions, as in the tutorials. */
const CUSTOMER = 'demonstration';

/**
 * The definition of the sessions. It does not depend on the default workflow of the organisation, and ignores what its
 * earlier sessions and blocklists know of the specimens: anybody may have used them under another external id.
 */
const SESSION_WORKFLOW = {
  name: 'Demonstration of the specimens',
  features: ['id', 'liveness', 'face_match'],
  actions: {
    duplicate_document: 'ignore',
    duplicate_face: 'ignore',
    same_capture: 'ignore',
    document_in_blocklist: 'ignore',
    face_in_blocklist: 'ignore',
  },
};

/** Creates the session workflow of the demonstration. @returns its id */
export async function createSessionWorkflow(client: Client): Promise<string> {
  const created = await client.json('POST', '/v1/sessions/workflows', SESSION_WORKFLOW);
  return readText(readObject(created, 'workflow'), 'id');
}

/** What the demonstration leaves for a person to try. */
export interface OpenSessions {
  /** Id of a session that waits for a reviewer. */
  reviewId: string;
  /** The link of a session that a person completes; null if it has none. */
  captureUrl: string | null;
}

/** As for the other sessions, but a reviewer looks at faces that differ. */
const REVIEW_WORKFLOW = {
  ...SESSION_WORKFLOW,
  name: 'Demonstration of the review',
  actions: { ...SESSION_WORKFLOW.actions, face_mismatch: 'review' },
};

/** The session of an earlier run that still waits for a reviewer; null if there is none. */
async function findSessionInReview(client: Client): Promise<string | null> {
  const { sessions } = await client.json('GET', `/v1/sessions?status=in_review&externalId=${CUSTOMER}&limit=1`);
  const [found] = Array.isArray(sessions) ? (sessions as Json[]) : [];
  return found === undefined ? null : readText(found, 'id');
}

async function createSessionInReview(client: Client, { passport, selfie }: Omit<DemoPerson, 'label'>): Promise<string> {
  const workflow = readObject(await client.json('POST', '/v1/sessions/workflows', REVIEW_WORKFLOW), 'workflow');
  const body = { workflowId: readText(workflow, 'id'), externalId: CUSTOMER };
  const id = readText(readObject(await client.json('POST', '/v1/sessions', body), 'session'), 'id');
  await client.upload('/v1/documents/id-verification', { sessionId: id }, { frontImage: passport });
  await client.upload('/v1/biometrics/liveness', { sessionId: id }, { image: selfie });
  await waitForDecision(client, id);
  await archiveSessionWorkflow(client, readText(workflow, 'id'));
  return id;
}

/** Leaves one session to review, unless an earlier one still waits, and one to complete on the capture page. */
export async function leaveOpenSessions(client: Client, person: Omit<DemoPerson, 'label'>): Promise<OpenSessions> {
  const reviewId = (await findSessionInReview(client)) ?? (await createSessionInReview(client, person));
  const created = await client.json('POST', '/v1/sessions', {
    features: SESSION_WORKFLOW.features,
    externalId: CUSTOMER,
  });
  const { url } = readObject(created, 'session');
  return { reviewId, captureUrl: typeof url === 'string' ? url : null };
}

/** Archives the session workflow of the demonstration; its sessions keep their definition. */
export async function archiveSessionWorkflow(client: Client, id: string): Promise<void> {
  await client.json('DELETE', `/v1/sessions/workflows/${id}`);
}

/** Runs one session from its creation to the webhook that reports its decision. @returns the status of the session */
export async function verifyPerson(demo: IdentityDemo, person: DemoPerson): Promise<string> {
  const { client, report, receiver, secret } = demo;
  const sessionId = await report.step(`${person.label}: session`, async () => {
    const { id } = readObject(
      await client.json('POST', '/v1/sessions', {
        workflowId: demo.sessionWorkflowId,
        externalId: CUSTOMER,
      }),
      'session',
    );
    return { result: String(id), outcome: 'created', look: `GET ${demo.api}/v1/sessions/${String(id)}` };
  });
  await report.step(`${person.label}: passport`, async () => {
    const check = readObject(
      await client.upload('/v1/documents/id-verification', { sessionId }, { frontImage: person.passport }),
      'check',
    );
    return { result: check, outcome: readText(check, 'status'), look: demo.workflowLink(sessionId) };
  });
  await report.step(`${person.label}: selfie`, async () => {
    const check = readObject(
      await client.upload('/v1/biometrics/liveness', { sessionId }, { image: person.selfie }),
      'check',
    );
    return { result: check, outcome: readText(check, 'status'), look: demo.workflowLink(sessionId) };
  });
  const status = await report.step(`${person.label}: decision`, async () => {
    const session = await waitForDecision(client, sessionId);
    return {
      result: readText(session, 'status'),
      outcome: `${readText(session, 'status')}${formatReasons(session)}`,
      look: demo.workflowLink(sessionId),
    };
  });
  await report.step(`${person.label}: webhook`, async () => {
    const decisionTypes = new Set(['session.completed', 'session.declined', 'session.review']);
    const matches = (notification: { type: string; data: Json }): boolean =>
      decisionTypes.has(notification.type) && JSON.stringify(notification.data).includes(sessionId);
    const { type } = await receiver.waitFor(secret, matches, WEBHOOK_TIMEOUT_MS);
    return { result: type, outcome: `${type}, signature verified`, look: receiver.url };
  });
  return status;
}
