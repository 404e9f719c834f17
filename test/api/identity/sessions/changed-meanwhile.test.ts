import mongoose from 'mongoose';
import { EvidenceRendition } from '../../../../models/identity/reports/evidence-rendition';
import { Check } from '../../../../models/identity/checks/check';
import { Share } from '../../../../models/identity/sharing/share';
import { Evidence } from '../../../../models/platform/evidence/evidence';
import { startOwnApi } from '../../../support/business/own-api';
import type { OwnApi } from '../../../support/business/own-api';
import { call } from '../../../support/client';
import type { ApiResponse } from '../../../support/client';
import { callAsPage, consent, createCapture, parseState } from '../../../support/identity/capture';
import {
  createFacelessImage,
  createSessionInReview,
  getSession,
  postDecision,
} from '../../../support/identity/identity';
import { CONSENT } from '../../../support/identity/sharing';
import { closeTestPlatform, createIdentityTenant } from '../../../support/tenant';

let own: OwnApi;
let key: string;
beforeAll(async () => {
  own = await startOwnApi();
  key = (await createIdentityTenant('Changed meanwhile')).identityKey;
});
afterEach(() => jest.restoreAllMocks());
afterAll(async () => {
  await own.close();
  await closeTestPlatform();
});

/** Calls `change` before the next upload of the own API, which happens between its reads and its transaction. */
function changeBeforeUpload(change: () => Promise<unknown>): void {
  const { objects } = own.platform;
  const put = objects.put.bind(objects);
  jest.spyOn(objects, 'put').mockImplementationOnce(async (...file) => {
    await change();
    await put(...file);
  });
}

type FindOneAndUpdate = (...options: unknown[]) => Promise<unknown>;

/** Calls `change` whenever the own API requests a report, between reading the session and recording the request. */
function changeBeforeEachReport(change: () => Promise<unknown>): void {
  const collections = mongoose.mongo.Collection.prototype;
  const original = Object.getOwnPropertyDescriptor(collections, 'findOneAndUpdate')?.value as FindOneAndUpdate;
  jest.spyOn(collections, 'findOneAndUpdate').mockImplementation(async function (
    this: mongoose.mongo.Collection,
    ...options: unknown[]
  ) {
    if (this.collectionName === EvidenceRendition.collection.collectionName) await change();
    return (await original.apply(this, options)) as never;
  });
}

const expectChanged = ({ status, body }: ApiResponse, message: string): void =>
  expect([status, body]).toMatchObject([409, { error: { code: 'session_changed', message } }]);

const TRY_AGAIN = 'The session changed meanwhile; try again.';

/** Decides a session otherwise than before. */
async function decideOtherwise(id: string): Promise<void> {
  const { status } = await getSession(key, id);
  const decision = status === 'declined' ? 'approve' : 'decline';
  const decided = await postDecision(key, id, { decision, override: true, reason: `Not ${status}.` });
  expect(decided.status).toBe(200);
}

test('a session that is decided again while its bundle is made is not shared with its former outcome', async () => {
  const { id } = await createSessionInReview(key);
  await decideOtherwise(id);
  const json = { consentText: CONSENT, bundle: true };
  const headers = { 'idempotency-key': `share-${id}` };
  const share = () => call('POST', `/v1/sessions/${id}/share`, { key, api: own.url, json, headers });
  changeBeforeUpload(() => decideOtherwise(id));
  expectChanged(await share(), TRY_AGAIN);
  expect(await Share.countDocuments({ sessionId: id })).toBe(0);
  expect(await Evidence.countDocuments({ recordId: id, field: 'bundle' })).toBe(0);
  expect((await getSession(key, id)).status).toBe('approved');

  const repeated = await share();
  expect(repeated.status).toBe(201);
  expect((await call('GET', `/v1/sessions/${id}/shares`, { key })).body).toMatchObject({ total: 1 });
});

test('a back that is sent while the kept front is replaced is not joined with the new front', async () => {
  const { id, page } = await createCapture(key, { features: ['id'] });
  await consent(page);
  const keep = async () => {
    const form = { frontImage: { body: await createFacelessImage() } };
    parseState(await callAsPage(page, 'PUT', '/v1/capture/document/front', { form }));
    return (await Evidence.findOne({ recordId: id, field: 'frontImage' }).orFail().lean())._id;
  };
  await keep();
  const form = { backImage: { body: await createFacelessImage() } };
  const headers = { 'idempotency-key': `both-${id}` };
  const submit = () => callAsPage(page, 'POST', '/v1/capture/document', { api: own.url, form, headers });
  let replaced = '';
  changeBeforeUpload(async () => {
    replaced = await keep();
  });
  expectChanged(await submit(), TRY_AGAIN);
  expect(await Check.countDocuments({ sessionId: id })).toBe(0);
  expect((await Evidence.find({ recordId: id }).lean()).map(({ _id }) => _id)).toEqual([replaced]);
  const state = parseState(await callAsPage(page, 'GET', '/v1/capture/state'));
  expect(state).toMatchObject({ frontKept: true, steps: [{ feature: 'id', attemptsLeft: 3 }] });

  expect(parseState(await submit(), 201).frontKept).toBe(false);
  const files = (await getSession(key, id)).evidence.map(({ field, id: file }) => [field, file]);
  expect(files).toEqual([
    ['frontImage', replaced],
    ['backImage', expect.any(String)],
  ]);
});

test('a report of a session that changes whenever it is rendered is refused, and rendered once it does not', async () => {
  const { id } = await createSessionInReview(key);
  const getReport = () => call('GET', `/v1/sessions/${id}/report`, { key, api: own.url });
  let changes = 0;
  changeBeforeEachReport(async () => {
    changes += 1;
    await decideOtherwise(id);
  });
  expectChanged(await getReport(), 'The session changes while its report is rendered; try again.');
  expect(changes).toBe(3);
  const stale = { status: 'failed', failure: 'source_changed', evidenceId: null };
  const findReports = () => EvidenceRendition.find({ recordId: id }).sort({ _id: 1 }).lean();
  expect(await findReports()).toMatchObject([stale, stale, stale]);

  jest.restoreAllMocks();
  expect((await getReport()).status).toBe(200);
  expect(await findReports()).toMatchObject([stale, stale, stale, { status: 'stored', failure: null }]);
});

test('changes of a session at the same time are made one after another, and none of them is refused', async () => {
  const { id } = await createSessionInReview(key);
  const count = 8;
  const changes = Array.from({ length: count }, (_, index) => [
    call('PATCH', `/v1/sessions/${id}`, { key, json: { metadata: { [`field${index}`]: index } } }),
    call('POST', `/v1/sessions/${id}/notes`, { key, json: { text: `Note ${index}` } }),
  ]);
  const statuses = (await Promise.all(changes.flat())).map(({ status }) => status);
  expect(statuses).toEqual(Array.from({ length: count }, () => [200, 201]).flat());
  const { metadata, notes } = await getSession(key, id);
  expect(metadata).toEqual(Object.fromEntries(Array.from({ length: count }, (_, index) => [`field${index}`, index])));
  expect(notes.map(({ text }) => text).sort()).toEqual(Array.from({ length: count }, (_, index) => `Note ${index}`));
});
