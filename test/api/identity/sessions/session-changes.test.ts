import { z } from 'zod';
import { checkSummarySchema } from '../../../../api/identity/checks/check-responses';
import { erasureSchema } from '../../../../api/identity/erasure/erasures';
import type { EventType } from '../../../../domain/platform/webhooks/event-types';
import { Session } from '../../../../models/identity/sessions/session';
import { Audit } from '../../../../models/platform/audit/audit';
import { WebhookEvent } from '../../../../models/platform/webhooks/webhook-event';
import type { WebhookEventRecord } from '../../../../models/platform/webhooks/webhook-event';
import { MAX_SESSION_NOTES } from '../../../../services/identity/sessions/session-notes';
import { readEventBody } from '../../../../services/platform/webhooks/event-bodies';
import { call } from '../../../support/client';
import {
  createFacelessImage,
  createSession,
  createSessionInReview,
  getSession,
  listEventTypes,
  parseCheck,
  parseDocumented,
  parseSession,
  postDecision,
  postLiveness,
} from '../../../support/identity/identity';
import { closeTestPlatform, createIdentityTenant, getTestPlatform } from '../../../support/tenant';
import type { IdentityTenant } from '../../../support/tenant';

let tenant: IdentityTenant;
let key: string;
beforeAll(async () => {
  tenant = await createIdentityTenant('Changes');
  key = tenant.identityKey;
});
afterAll(closeTestPlatform);

const patch = (id: string, json: object) => call('PATCH', `/v1/sessions/${id}`, { key, json });
const cancel = (id: string, json: object = {}, headers: Record<string, string> = {}) =>
  call('POST', `/v1/sessions/${id}/cancel`, { key, json, headers });

/** The latest event of a type about a session, as it is posted. */
async function readEvent(subjectId: string, type: EventType): Promise<Record<string, unknown>> {
  const event = await WebhookEvent.findOne({ subjectId, type }).sort({ _id: -1 }).lean<WebhookEventRecord>();
  const body = event === null ? null : await readEventBody(await getTestPlatform(), event);
  return JSON.parse(body ?? '{}') as Record<string, unknown>;
}

describe('metadata', () => {
  test('fields that are sent are set, null removes them, and the change is audited by name', async () => {
    const { id } = await createSession(key, { metadata: { branch: 'Lyon', ticket: 7 } });
    expect(parseSession(await patch(id, { metadata: { branch: 'Paris', vip: true, ticket: null } })).metadata).toEqual({
      branch: 'Paris',
      vip: true,
    });
    expect((await getSession(key, id)).metadata).toEqual({ branch: 'Paris', vip: true });
    expect(parseSession(await patch(id, { metadata: null })).metadata).toBeNull();
    const rows = await Audit.find({ subject: id, action: 'session.updated' }).lean();
    expect(rows.map(({ fields }) => fields)).toEqual([['metadata'], ['metadata']]);
  });

  test('that would be too large, or another field, is refused and changes nothing', async () => {
    const { id } = await createSession(key, { metadata: { text: 'x'.repeat(3000) } });
    const large = await patch(id, { metadata: { more: 'x'.repeat(3000) } });
    expect([large.status, large.body]).toMatchObject([
      400,
      { error: { details: { fields: [{ field: 'metadata' }] } } },
    ]);
    expect((await patch(id, { status: 'approved' })).status).toBe(400);
    expect(Object.keys((await getSession(key, id)).metadata ?? {})).toEqual(['text']);
  });

  test.each(['_bsontype', '$__', '$set', '__proto__', 'constructor', 'toBSON', 'isMongooseBuffer'])(
    'with the name %s is 400 with the field named',
    async (name) => {
      const json = JSON.parse(`{"metadata":{"a":{"${name}":1}}}`) as object;
      const response = await call('POST', '/v1/sessions', { key, json });
      expect([response.status, response.body]).toMatchObject([
        400,
        { error: { details: { fields: [{ field: `metadata.a.${name}` }] } } },
      ]);
    },
  );
});

describe('cancelling', () => {
  test('ends a session without a decision: no more checks, one event, nothing erased', async () => {
    const { id } = await createSession(key, { features: ['liveness'] });
    const check = parseCheck(await postLiveness(key, { sessionId: id, image: { body: await createFacelessImage() } }));
    const cancelled = parseSession(await cancel(id, { reason: 'Withdrawn' }, { 'idempotency-key': `c-${id}` }));
    expect(cancelled).toMatchObject({ status: 'cancelled', decision: null });
    expect(cancelled.finishedAt).not.toBeNull();
    expect(cancelled.steps[0]?.checkIds).toEqual([check.id]);
    expect(parseSession(await cancel(id, { reason: 'Withdrawn' }, { 'idempotency-key': `c-${id}` }))).toEqual(
      cancelled,
    );
    expect(parseSession(await cancel(id)).status).toBe('cancelled');
    const late = await postLiveness(key, { sessionId: id, image: { body: await createFacelessImage() } });
    expect([late.status, late.body]).toMatchObject([409, { error: { code: 'session_closed' } }]);
    expect((await listEventTypes(id)).filter((type) => type.startsWith('session.'))).toEqual([
      'session.created',
      'session.started',
      'session.cancelled',
    ]);
    expect(await Audit.findOne({ subject: id, action: 'session.cancelled' }).lean()).toMatchObject({
      reason: 'Withdrawn',
    });
    expect((await call('GET', `/v1/sessions?status=cancelled`, { key })).body).toMatchObject({ total: 1 });
  });

  test('a decided session is refused with the allowed moves', async () => {
    const { id } = await createSessionInReview(key);
    expect((await postDecision(key, id, { decision: 'decline' })).status).toBe(200);
    const refused = await cancel(id);
    expect([refused.status, refused.body]).toMatchObject([
      409,
      { error: { code: 'invalid_transition', details: { from: 'declined', to: 'cancelled' } } },
    ]);
  });
});

test('the events of a session carry its mode, externalId, workflow and decision', async () => {
  const created = await call('POST', '/v1/sessions/workflows', { key, json: { name: 'Only liveness' } });
  const workflow = created.body['workflow'] as { id: string };
  const own = { workflowId: workflow.id, features: ['liveness'], externalId: 'customer-7' };
  const { id } = await createSession(key, own);
  const about = { sessionId: id, mode: 'live', externalId: 'customer-7', workflowId: workflow.id, workflowVersion: 1 };
  expect(await readEvent(id, 'session.created')).toMatchObject({ mode: 'live', data: { ...about, decision: null } });
  parseCheck(await postLiveness(key, { sessionId: id, image: { body: await createFacelessImage() } }));
  expect((await readEvent(id, 'check.completed'))['data']).toMatchObject({ sessionId: id, externalId: 'customer-7' });
  const testKey = await tenant.createIdentityKey(['sessions:write', 'sessions:read'], { mode: 'test' });
  const other = await createSession(testKey, { externalId: 'test-1' });
  expect(await readEvent(other.id, 'session.created')).toMatchObject({ mode: 'test', data: { mode: 'test' } });

  const reviewed = await createSessionInReview(key);
  expect((await postDecision(key, reviewed.id, { decision: 'decline', reason: 'No' })).status).toBe(200);
  const reasons = expect.arrayContaining([expect.any(String)]) as string[];
  expect(await readEvent(reviewed.id, 'session.review')).toMatchObject({
    data: { decision: { outcome: 'in_review', decidedBy: 'rules', rule: null, reasons } },
  });
  expect(await readEvent(reviewed.id, 'session.declined')).toMatchObject({
    data: { status: 'declined', decision: { outcome: 'declined', decidedBy: 'reviewer' } },
  });
});

test.each([
  ['shop.example:/verified', 201],
  ['shopapp://verified?from=vouch', 201],
  ['https://shop.example/done', 201],
  ['javascript:alert(1)', 400],
  ['JavaScript:alert(1)', 400],
  ['data:text/html,x', 400],
  ['file:///etc/passwd', 400],
  ['blob:https://shop.example/1', 400],
  ['intent://scan/#Intent;end', 400],
  ['https:shop.example', 400],
  ['/relative', 400],
])('the callbackUrl %s is answered with %d', async (callbackUrl, status) => {
  expect((await call('POST', '/v1/sessions', { key, json: { callbackUrl } })).status).toBe(status);
});

describe('lists', () => {
  const readPages = async <T>(path: string, name: string, schema: z.ZodType<T>) => {
    const page = z.object({ [name]: z.array(schema), total: z.number(), nextCursor: z.string().nullable() });
    const items: T[] = [];
    let cursor = '';
    let total: number;
    do {
      const body = parseDocumented(page, await call('GET', `${path}limit=2${cursor}`, { key }), 200);
      items.push(...(body[name] as T[]));
      total = body['total'] as number;
      cursor = body['nextCursor'] === null ? '' : `&cursor=${String(body['nextCursor'])}`;
    } while (cursor !== '');
    return { items, total };
  };

  test('of checks: newest first in pages, with an exact total, filtered by kind, status and session', async () => {
    const { id } = await createSession(key, { features: ['liveness'] });
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1)
      ids.unshift(
        parseCheck(await postLiveness(key, { sessionId: id, image: { body: await createFacelessImage() } })).id,
      );
    const ofSession = await readPages(`/v1/checks?sessionId=${id}&`, 'checks', checkSummarySchema);
    expect([ofSession.items.map((check) => check.id), ofSession.total]).toEqual([ids, 3]);
    const { total } = await readPages(`/v1/checks?sessionId=${id}&kind=face_match,age&`, 'checks', checkSummarySchema);
    expect(total).toBe(0);
    expect((await call('GET', '/v1/checks?kind=palm', { key })).status).toBe(400);
    expect((await call('GET', '/v1/checks?cursor=x', { key })).status).toBe(400);
  });

  test('of erasures: newest first in pages, filtered by kind and record', async () => {
    const sessions = await Promise.all([1, 2, 3].map(() => createSession(key)));
    for (const { id } of sessions) {
      const deleted = await call('DELETE', `/v1/sessions/${id}`, { key });
      expect(deleted.body).toMatchObject({ ok: true, id, deleted: true, erasure: { recordId: id } });
    }
    const { items, total } = await readPages('/v1/erasures?kind=session&', 'erasures', erasureSchema);
    expect([items.map(({ recordId }) => recordId), total]).toEqual([sessions.map(({ id }) => id).reverse(), 3]);
    const [first] = sessions;
    const one = await readPages(`/v1/erasures?recordId=${first?.id ?? ''}&`, 'erasures', erasureSchema);
    expect(one.items.map(({ recordId }) => recordId)).toEqual([first?.id]);
  });
});

describe('notes', () => {
  const addNote = (id: string, json: object, headers: Record<string, string> = {}) =>
    call('POST', `/v1/sessions/${id}/notes`, { key, json, headers });

  test('are added in any status without a decision, once per Idempotency-Key, and audited without their text', async () => {
    const { id } = await createSession(key);
    const first = await addNote(id, { text: ' Called the customer ' }, { 'idempotency-key': `note-${id}` });
    expect(first.status).toBe(201);
    const again = await addNote(id, { text: ' Called the customer ' }, { 'idempotency-key': `note-${id}` });
    expect(again.body).toEqual(first.body);
    await cancel(id);
    expect((await addNote(id, { text: 'Withdrawn' })).status).toBe(201);
    const session = await getSession(key, id);
    expect(session).toMatchObject({ status: 'cancelled', reviews: [], decision: null });
    expect(session.notes.map(({ text }) => text)).toEqual(['Called the customer', 'Withdrawn']);
    expect(session.notes[0]?.by).toMatch(/^key_/);
    expect(session.notes.map(({ byName }) => byName)).toEqual(['Test', 'Test']);
    const rows = await Audit.find({ subject: id, action: 'session.note_added' }).lean();
    expect(rows.map(({ fields }) => fields)).toEqual([['notes'], ['notes']]);
    expect(JSON.stringify(rows)).not.toContain('Called');
    const stored = await Session.collection.findOne({ _id: id as never });
    expect(JSON.stringify(stored)).not.toContain('Called');
  });

  test('need a text, the permission sessions:decide and a session of the organisation', async () => {
    const { id } = await createSession(key);
    expect((await addNote(id, { text: '  ' })).status).toBe(400);
    const { identityKey: foreign } = await createIdentityTenant('Strangers');
    const text = 'Hello';
    expect((await call('POST', `/v1/sessions/${id}/notes`, { key: foreign, json: { text } })).status).toBe(404);
    expect((await getSession(key, id)).notes).toEqual([]);
  });

  test('are limited in number: one more is refused with note_limit_reached', async () => {
    const { id } = await createSession(key);
    const note = { id: 'nte_01JQZ5B7D9F1H3K5M7P9R1T3V5', text: 'Full', by: 'key_1', at: new Date() };
    const notes = Array.from({ length: MAX_SESSION_NOTES }, () => note);
    await getTestPlatform();
    const { organisationId } = tenant;
    await Session.updateOne({ _id: id, organisationId, mode: 'live' }, { $set: { notes } });
    const refused = await addNote(id, { text: 'One more' });
    expect([refused.status, refused.body['error']]).toMatchObject([409, { code: 'note_limit_reached' }]);
  });
});
