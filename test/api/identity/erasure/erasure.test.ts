import mongoose from 'mongoose';
import { z } from 'zod';
import { erasureSchema } from '../../../../api/identity/erasure/erasures';
import { makeDemoImages } from '../../../../scripts/demo/images';
import type { DemoImages } from '../../../../scripts/demo/images';
import { Check as CheckModel } from '../../../../models/identity/checks/check';
import { Session as SessionModel } from '../../../../models/identity/sessions/session';
import { eraseOverdueRecords } from '../../../../services/identity/erasure/retention';
import { Erasure } from '../../../../models/identity/erasure/erasure';
import { Audit } from '../../../../models/platform/audit/audit';
import { Idempotency } from '../../../../models/platform/transactions/idempotency';
import { DataKey } from '../../../../models/platform/evidence/data-key';
import { readEvidence, uploadEvidence } from '../../../../services/platform/evidence/evidence';
import { eraseRows, eraseSession } from '../../../../services/identity/erasure/erase';
import { call } from '../../../support/client';
import type { ApiResponse } from '../../../support/client';
import { readHistoryTexts, recordHistory } from '../../../support/histories';
import {
  parseCheck,
  createSession,
  parseDocumented,
  listEventTypes,
  createFacelessImage,
  getSession,
  postDocument,
  postLiveness,
  waitForStatus,
} from '../../../support/identity/identity';
import { closeTestPlatform, createIdentityTenant, getStartedWorkflow, getTestPlatform } from '../../../support/tenant';
import type { IdentityTenant } from '../../../support/tenant';
import { DAY_MS } from '../../../../domain/durations';
import { pollUntilFound } from '../../../support/poll';
import { triggerSchedule } from '../../../support/schedules';

type Erasure = z.infer<typeof erasureSchema>;

let tenant: IdentityTenant;
let key: string;
let images: DemoImages;

beforeAll(async () => {
  tenant = await createIdentityTenant('Erasure');
  key = tenant.identityKey;
  images = await makeDemoImages();
});
afterAll(closeTestPlatform);

/** A receipt, and what the response to a deletion has next to it. */
const replySchema = z.object({
  erasure: erasureSchema,
  id: z.string().optional(),
  deleted: z.literal(true).optional(),
});

const parseErasure = (response: ApiResponse, status = 200): Erasure =>
  parseDocumented(replySchema, response, status).erasure;

const deleteRecord = (path: string): Promise<ApiResponse> => call('DELETE', path, { key });

/** What the specimen passport and the session say of the person; none of it may be left anywhere. Ids and hashes may contain the digits of a date. */
const TRACES = ['ERIKSSON', 'L898902C3', '1994-08-12', '"940812"', 'customer-4711-erased', 'Reviewer saw Anna'];

/** Names of the collections in which one of the traces stands, whatever the field. */
async function findCollectionsWithTraces(organisationId: string): Promise<string[]> {
  const { db } = mongoose.connection;
  if (db === undefined) throw new Error('MongoDB is not connected.');
  const found: string[] = [];
  for (const { name } of await db.listCollections({}, { nameOnly: true }).toArray()) {
    const rows = await db.collection(name).find({ organisationId }).toArray();
    const text = JSON.stringify(rows).toUpperCase();
    if (TRACES.some((trace) => text.includes(trace.toUpperCase()))) found.push(name);
  }
  return found.sort();
}

/** All workflow histories of the organisation, as text. */
async function readHistories(organisationId: string): Promise<string> {
  const { temporal } = await getTestPlatform();
  const texts: string[] = [];
  for await (const { workflowId, runId } of temporal.workflow.list({ query: `VouchOrg = "${organisationId}"` })) {
    texts.push(await readHistoryTexts(temporal.workflow.getHandle(workflowId, runId)));
  }
  return texts.join('\n').toUpperCase();
}

async function listObjectKeys(organisationId: string): Promise<string[]> {
  const { objects } = await getTestPlatform();
  const keys: string[] = [];
  for await (const { key: objectKey } of objects.list(`evidence/${organisationId}/`)) keys.push(objectKey);
  return keys;
}

describe('a session with documents, results, a review and idempotent requests', () => {
  let sessionId: string;
  let checkIds: string[];
  let evidenceIds: string[];
  let receipt: Erasure;
  let before: string[];

  beforeAll(async () => {
    const options = { headers: { 'Idempotency-Key': 'erase-me' } };
    const session = await createSession(
      key,
      { externalId: 'customer-4711-erased', expected: { lastName: 'Eriksson', dateOfBirth: '1994-08-12' } },
      options,
    );
    sessionId = session.id;
    const document = parseCheck(await postDocument(key, { sessionId, frontImage: images.passport }));
    const liveness = parseCheck(await postLiveness(key, { sessionId, image: images.selfie }));
    await waitForStatus(key, sessionId, 'approved');
    const review = { decision: 'decline', override: true, reason: 'Reviewer saw Anna Eriksson elsewhere.' };
    expect((await call('POST', `/v1/sessions/${sessionId}/decision`, { key, json: review })).status).toBe(200);
    evidenceIds = (await getSession(key, sessionId)).evidence.map(({ id }) => id);
    checkIds = [document.id, liveness.id];
    before = await findCollectionsWithTraces(tenant.organisationId);
    receipt = parseErasure(await deleteRecord(`/v1/sessions/${sessionId}`));
  });

  test('is in no collection in clear text before', () => {
    expect(before).toEqual([]);
  });

  test('returns a receipt of what was erased, by whom and why, in ids, counts and hashes', async () => {
    expect(receipt).toMatchObject({
      kind: 'session',
      recordId: sessionId,
      status: 'completed',
      reason: 'request',
      by: expect.stringMatching(/^key_/) as string,
      byName: 'Test',
      dataKeysDestroyed: 1,
      objectsRemoved: evidenceIds.length,
    });
    expect(receipt.evidence.map(({ id }) => id).sort()).toEqual([...evidenceIds].sort());
    const rows = Object.fromEntries(receipt.collections.map(({ name, ...counts }) => [name, counts]));
    expect(rows).toMatchObject({
      sessions: { removed: 1 },
      checks: { removed: 3 },
      evidence: { removed: evidenceIds.length },
      idempotency: { removed: 1 },
    });
    expect(rows['webhook_events']?.anonymised).toBeGreaterThan(3);
    expect(parseErasure(await call('GET', `/v1/erasures/${receipt.id}`, { key }))).toEqual(receipt);
  });

  test('is unknown afterwards, with its checks, and cannot be deleted twice', async () => {
    expect((await call('GET', `/v1/sessions/${sessionId}`, { key })).status).toBe(404);
    for (const id of checkIds) expect((await call('GET', `/v1/checks/${id}`, { key })).status).toBe(404);
    expect((await deleteRecord(`/v1/sessions/${sessionId}`)).status).toBe(404);
    const list = await call('GET', '/v1/sessions?externalId=customer-4711-erased', { key });
    expect(list.body).toMatchObject({ total: 0, sessions: [] });
  });

  test('leaves no trace of the person in any collection', async () => {
    expect(await findCollectionsWithTraces(tenant.organisationId)).toEqual([]);
  });

  test('leaves no object, and no key that could open a copy of one', async () => {
    expect(await listObjectKeys(tenant.organisationId)).toEqual([]);
    expect(await DataKey.findById(sessionId).lean()).toMatchObject({
      material: null,
      destroyedAt: expect.any(Date) as Date,
    });
  });

  test('leaves no trace of the person in any workflow history', async () => {
    const histories = await readHistories(tenant.organisationId);
    expect(histories.includes(sessionId.toUpperCase())).toBe(true);
    expect(TRACES.filter((trace) => histories.includes(trace.toUpperCase()))).toEqual([]);
  });

  test('emits session.deleted, and is in the audit log', async () => {
    expect((await listEventTypes(sessionId)).at(-1)).toBe('session.deleted');
    const rows = await Audit.find({ subject: { $in: [sessionId, receipt.id] } })
      .sort({ _id: 1 })
      .lean();
    expect(rows.map(({ action }) => action).slice(-2)).toEqual(['session.deleted', 'erasure.completed']);
  });

  test('accepts no late upload: its data key is never created again', async () => {
    const platform = await getTestPlatform();
    const scope = { organisationId: tenant.organisationId, mode: 'live' } as const;
    const late = { recordId: sessionId, checkId: 'chk_late', field: 'image', contentType: 'image/jpeg' };
    await expect(uploadEvidence(platform, scope, { ...late, body: Buffer.from('late') })).rejects.toMatchObject({
      status: 404,
    });
    const [evidenceId] = evidenceIds;
    await expect(readEvidence(platform, scope, evidenceId ?? '')).rejects.toMatchObject({ status: 404 });
  });

  test('releases its Idempotency-Key: the same request creates a new session', async () => {
    const again = await createSession(
      key,
      { externalId: 'another', expected: { lastName: 'Other' } },
      { headers: { 'Idempotency-Key': 'erase-me' } },
    );
    expect(again.id).not.toBe(sessionId);
  });

  test('has a recorded history that later versions replay', async () => {
    const { temporal } = await getTestPlatform();
    const handle = temporal.workflow.getHandle(receipt.id);
    // The workflow ends after it has completed the receipt.
    await handle.result();
    expect((await handle.describe()).status.name).toBe('COMPLETED');
    await recordHistory(handle, 'erasure');
  });
});

test('an open session is cancelled: its workflow ends and a running check writes nothing', async () => {
  const { id: sessionId } = await createSession(key, { features: ['liveness'] });
  const form = { sessionId, image: { body: await createFacelessImage() } };
  const pending = parseCheck(await postLiveness(key, form, {}, '?wait=0'), 202);
  const receipt = parseErasure(await deleteRecord(`/v1/sessions/${sessionId}`));
  expect(receipt.collections.find(({ name }) => name === 'checks')).toMatchObject({ removed: 1 });
  const workflow = await getStartedWorkflow(sessionId);
  await workflow.result().catch(() => undefined);
  expect((await workflow.describe()).status.name).toMatch(/^(CANCELLED|COMPLETED)$/);
  expect((await call('GET', `/v1/checks/${pending.id}`, { key })).status).toBe(404);
});

test('the keys of requests for notes and shares of a session are erased with it', async () => {
  const own = await createIdentityTenant('Erased notes');
  const options = { key: own.identityKey };
  const { id } = await createSession(own.identityKey, { features: ['liveness'] });
  const send = (path: string, json: object): Promise<ApiResponse> =>
    call('POST', `/v1/sessions/${id}/${path}`, { ...options, json, headers: { 'Idempotency-Key': `anna-${path}` } });
  expect((await send('notes', { text: 'Anna called about her visa.' })).status).toBe(201);
  await SessionModel.updateOne({ _id: id }, { $set: { status: 'approved' } });
  expect((await send('share', { consentText: 'Anna agrees.' })).status).toBe(201);
  expect(await Idempotency.countDocuments({ organisationId: own.organisationId })).toBe(2);

  const receipt = parseErasure(await call('DELETE', `/v1/sessions/${id}`, options));
  expect(receipt.collections.find(({ name }) => name === 'idempotency')).toMatchObject({ removed: 2 });
  expect(await Idempotency.countDocuments({ organisationId: own.organisationId })).toBe(0);
});

describe('a check', () => {
  test('that is standalone can be erased', async () => {
    const check = parseCheck(await postLiveness(key, { image: { body: await createFacelessImage() } }));
    const receipt = parseErasure(await deleteRecord(`/v1/checks/${check.id}`));
    expect(receipt).toMatchObject({ kind: 'check', recordId: check.id, status: 'completed', objectsRemoved: 1 });
    expect((await call('GET', `/v1/checks/${check.id}`, { key })).status).toBe(404);
    expect((await deleteRecord(`/v1/checks/${check.id}`)).status).toBe(404);
  });

  test('of a session is only erased with the session', async () => {
    const { id: sessionId } = await createSession(key, { features: ['liveness'] });
    const check = parseCheck(await postLiveness(key, { sessionId, image: { body: await createFacelessImage() } }));
    const response = await deleteRecord(`/v1/checks/${check.id}`);
    expect(response.status).toBe(409);
    expect(response.body).toMatchObject({ error: { code: 'check_of_session', details: { sessionId } } });
  });
});

test('two simultaneous deletions create one erasure', async () => {
  const { id } = await createSession(key, { features: ['liveness'] });
  const responses = await Promise.all([1, 2, 3].map(() => deleteRecord(`/v1/sessions/${id}`)));
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
  expect(await Erasure.countDocuments({ recordId: id })).toBe(1);
});

test('a resumed erasure counts every row once', async () => {
  const platform = await getTestPlatform();
  const scope = { organisationId: tenant.organisationId, mode: 'live' } as const;
  const { id } = await createSession(key, { features: ['liveness'] });
  const begun = await eraseSession(platform, scope, id, { reason: 'retention', actor: 'system' });
  await Promise.all([eraseRows(begun._id), eraseRows(begun._id)]);
  await eraseRows(begun._id);
  const { collections } = (await Erasure.findById(begun._id).lean()) ?? { collections: [] };
  expect(new Set(collections.map(({ name }) => name)).size).toBe(collections.length);
  expect(collections.find(({ name }) => name === 'sessions')).toEqual({ name: 'sessions', removed: 1, anonymised: 0 });
});

test('a session is erased at the end of its own retention', async () => {
  const platform = await getTestPlatform();
  const { id } = await createSession(key, { features: ['liveness'] });
  const { id: kept } = await createSession(key, { features: ['liveness'] });
  await SessionModel.updateOne({ _id: id }, { $set: { retainUntil: new Date(Date.now() - 1000) } });
  await SessionModel.updateOne({ _id: kept }, { $set: { retainUntil: new Date(Date.now() + 600_000) } });
  await eraseOverdueRecords(platform);
  expect(await Erasure.findOne({ recordId: id }).lean()).toMatchObject({ reason: 'retention', kind: 'session' });
  expect(await Erasure.findOne({ recordId: kept }).lean()).toBeNull();
});

test('a standalone check is erased by the Schedule at the end of its retention, one of a session is not', async () => {
  const old = parseCheck(await postLiveness(key, { image: { body: await createFacelessImage() } }));
  const fresh = parseCheck(await postLiveness(key, { image: { body: await createFacelessImage() } }));
  const { id: sessionId } = await createSession(key, { features: ['liveness'] });
  const part = parseCheck(await postLiveness(key, { sessionId, image: { body: await createFacelessImage() } }));
  const longAgo = new Date(Date.now() - 31 * DAY_MS);
  await CheckModel.updateMany({ _id: { $in: [old.id, part.id] } }, { $set: { createdAt: longAgo } });

  await triggerSchedule('apply-retention');
  const receipt = await pollUntilFound(
    async () => (await Erasure.findOne({ recordId: old.id, status: 'completed' }).lean()) ?? undefined,
  );
  expect(receipt).toMatchObject({ reason: 'retention', actor: 'system', kind: 'check' });
  const { body } = await call('GET', `/v1/erasures?recordId=${old.id}`, { key });
  expect(body).toMatchObject({ erasures: [{ by: 'system', byName: null }] });
  expect((await call('GET', `/v1/checks/${old.id}`, { key })).status).toBe(404);
  for (const { id } of [fresh, part]) expect((await call('GET', `/v1/checks/${id}`, { key })).status).toBe(200);
});

test('requires a specific permission', async () => {
  const { id } = await createSession(key, { features: ['liveness'] });
  const writer = await tenant.createIdentityKey(['sessions:read', 'sessions:write', 'sessions:decide']);
  expect((await call('DELETE', `/v1/sessions/${id}`, { key: writer })).status).toBe(403);
});
