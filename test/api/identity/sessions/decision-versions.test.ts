import { z } from 'zod';
import { amlResultSchema } from '../../../../api/identity/aml/result-responses';
import { Audit } from '../../../../models/platform/audit/audit';
import { signInFromBrowser } from '../../../support/browser';
import { call } from '../../../support/client';
import type { ApiResponse } from '../../../support/client';
import {
  createFacelessImage,
  createSession,
  createSessionInReview,
  exhaustLiveness,
  getSession,
  listEventTypes,
  parseCheck,
  parseSession,
  postDecision,
  postLiveness,
} from '../../../support/identity/identity';
import { createLink, openCapture } from '../../../support/identity/capture';
import { CONSENT } from '../../../support/identity/sharing';
import { importOwnList } from '../../../support/identity/watch-lists';
import { pollUntilFound } from '../../../support/poll';
import { closeTestPlatform, createTenant } from '../../../support/tenant';
import type { Tenant } from '../../../support/tenant';

let tenant: Tenant;
let key: string;
beforeAll(async () => {
  tenant = await createTenant('Decided as seen');
  key = tenant.identityKey;
});
afterAll(closeTestPlatform);

const read = (id: string, headers: Record<string, string> = {}): Promise<ApiResponse> =>
  call('GET', `/v1/sessions/${id}`, { key, headers });

/** @throws Error unless the response has an ETag of a version and a checksum of its body */
function getEtag({ headers }: ApiResponse): string {
  const etag = headers.get('etag') ?? 'none';
  expect(etag).toMatch(/^"\d+\.\d+"$/);
  return etag;
}

const readEtag = async (id: string): Promise<string> => getEtag(await read(id));

const getVersion = (etag: string): number => Number.parseInt(etag.slice(1), 10);

const decideAsSeen = (id: string, etag: string, json: object, headers: Record<string, string> = {}) =>
  postDecision(key, id, json, { headers: { 'if-match': etag, ...headers } });

const expectMismatch = ({ status, body }: ApiResponse): void => {
  const fields = [{ field: 'If-Match' }];
  expect([status, body]).toMatchObject([412, { error: { code: 'version_mismatch', details: { fields } } }]);
};

/** What a refused request must leave as it is. */
const readEffects = async (id: string) => ({
  session: await getSession(key, id),
  etag: await readEtag(id),
  events: await listEventTypes(id),
  auditRows: await Audit.countDocuments({ subject: id }),
});

describe('a decision with the ETag of the session that the reviewer saw', () => {
  test('is refused once steps were submitted again, and has no effect; with the present ETag it is made', async () => {
    const { id } = await createSessionInReview(key);
    const stale = await readEtag(id);
    parseSession(await postDecision(key, id, { decision: 'resubmit' }));
    await exhaustLiveness(key, id);
    const before = await readEffects(id);
    expectMismatch(await decideAsSeen(id, stale, { decision: 'approve' }));
    expect(await readEffects(id)).toEqual(before);

    const decided = await decideAsSeen(id, before.etag, { decision: 'approve' });
    expect(parseSession(decided).status).toBe('approved');
    expect(getEtag(decided)).toBe(await readEtag(id));
  });

  test('is accepted as a weak ETag, which proxies make of it, and refused if it is malformed', async () => {
    const { id } = await createSessionInReview(key);
    const etag = await readEtag(id);
    for (const malformed of [etag.replaceAll('"', ''), `${etag}, ${etag}`, '"approved"']) {
      const { status, body } = await decideAsSeen(id, malformed, { decision: 'decline' });
      expect([status, body]).toMatchObject([400, { error: { details: { fields: [{ field: 'If-Match' }] } } }]);
    }
    expect(await readEtag(id)).toBe(etag);
    expect((await decideAsSeen(id, `W/${etag}`, { decision: 'decline' })).status).toBe(200);
  });

  test('is answered as before when it is repeated with its Idempotency-Key, although it has changed the session', async () => {
    const { id } = await createSessionInReview(key);
    const etag = await readEtag(id);
    const repeat = () => decideAsSeen(id, etag, { decision: 'decline' }, { 'idempotency-key': `seen-${id}` });
    const [first, again] = [await repeat(), await repeat()];
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.body).toEqual(first.body);
    expect(getEtag(again)).toBe(getEtag(first));
    expectMismatch(await decideAsSeen(id, etag, { decision: 'decline' }));
  });

  test('is made by exactly one of several reviewers who saw the same state', async () => {
    const { id } = await createSessionInReview(key);
    const etag = await readEtag(id);
    const decisions = ['approve', 'decline', 'resubmit', 'approve'];
    const responses = await Promise.all(decisions.map((decision) => decideAsSeen(id, etag, { decision })));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412]);
    expect((await getSession(key, id)).reviews).toHaveLength(1);
  });

  test('is refused after a note or changed metadata, which can matter to it', async () => {
    const { id } = await createSessionInReview(key);
    const changes = [
      () => call('POST', `/v1/sessions/${id}/notes`, { key, json: { text: 'Called the person.' } }),
      () => call('PATCH', `/v1/sessions/${id}`, { key, json: { metadata: { ticket: 'T-1' } } }),
    ];
    for (const change of changes) {
      const etag = await readEtag(id);
      expect((await change()).status).toBeLessThan(300);
      expectMismatch(await decideAsSeen(id, etag, { decision: 'approve' }));
    }
    const anyVersion = await postDecision(key, id, { decision: 'approve' }, { headers: { 'if-match': '*' } });
    expect(anyVersion.status).toBe(200);
  });
});

describe('a session that was cancelled or changed with the ETag of an earlier state', () => {
  test('keeps its status and metadata', async () => {
    const { id } = await createSession(key);
    const headers = { 'if-match': await readEtag(id) };
    const update = () => call('PATCH', `/v1/sessions/${id}`, { key, json: { metadata: { branch: 'Lyon' } }, headers });
    const updated = await update();
    expect(parseSession(updated).metadata).toEqual({ branch: 'Lyon' });
    const before = await readEffects(id);
    expect(getEtag(updated)).toBe(before.etag);
    const cancel = (etag: string) =>
      call('POST', `/v1/sessions/${id}/cancel`, { key, json: {}, headers: { 'if-match': etag } });
    expectMismatch(await update());
    expectMismatch(await cancel(headers['if-match']));
    expect(await readEffects(id)).toEqual(before);

    const cancelled = await cancel(before.etag);
    expect(parseSession(cancelled).status).toBe('cancelled');
    expect(getEtag(cancelled)).toBe(await readEtag(id));
  });
});

test('a new link, a browser of the person and a share change nothing that a reviewer has seen', async () => {
  const { id } = await createSession(key);
  const etag = await readEtag(id);
  const { link } = z.object({ link: z.object({ url: z.string() }) }).parse((await createLink(id, key)).body);
  await openCapture(link.url);
  const headers = { 'if-match': etag };
  const cancelled = await call('POST', `/v1/sessions/${id}/cancel`, { key, json: {}, headers });
  expect(parseSession(cancelled).status).toBe('cancelled');

  const { id: reviewed } = await createSessionInReview(key);
  const approved = await postDecision(key, reviewed, { decision: 'approve' });
  const { organisationId: audience } = await createTenant('Receiver of a share');
  const json = { audience, include: [], consentText: CONSENT };
  expect((await call('POST', `/v1/sessions/${reviewed}/share`, { key, json })).status).toBe(201);
  const reversed = await decideAsSeen(reviewed, getEtag(approved), {
    decision: 'decline',
    override: true,
    reason: 'Looked again.',
  });
  expect(parseSession(reversed).status).toBe('declined');
});

describe('the ETag of a session', () => {
  const EXPECTED = { firstName: 'Ottilie', lastName: 'Vandersmissen', dateOfBirth: '1977-05-06' };
  const isNotModified = async (id: string, etag: string): Promise<boolean> => {
    const { status, bytes } = await read(id, { 'if-none-match': etag });
    if (status === 304) expect(bytes).toHaveLength(0);
    return status === 304;
  };

  /** A session with two hits of a watch list, whose liveness step has attempts left. */
  async function createScreenedSession(): Promise<{ id: string; hits: string[] }> {
    const entry = { type: 'person', name: 'Ottilie Vandersmissen', datesOfBirth: '1977-05-06' };
    await importOwnList(tenant.organisationId, [
      { id: 'S1', ...entry },
      { id: 'S2', ...entry },
    ]);
    const { id } = await createSession(key, { features: ['liveness', 'aml'], expected: EXPECTED });
    parseCheck(await postLiveness(key, { sessionId: id, image: { body: await createFacelessImage() } }));
    const hits = await pollUntilFound(async () => {
      const { aml } = (await getSession(key, id)).results;
      return aml === null ? undefined : amlResultSchema.parse(aml).hits.map((hit) => hit.id);
    });
    return { id, hits };
  }

  const review = (hit: string | undefined) =>
    call('POST', `/v1/aml/hits/${hit}/review`, { key, json: { status: 'false_positive', reason: 'Another person.' } });

  test('changes with each check that ends and each review of a hit, also after the final decision', async () => {
    const { id, hits } = await createScreenedSession();
    expect(hits).toHaveLength(2);
    const changes = [
      async () =>
        parseCheck(await postLiveness(key, { sessionId: id, image: { body: await createFacelessImage() } })).status,
      async () => (await review(hits[0])).status,
      async () => parseSession(await postDecision(key, id, { decision: 'decline' })).status,
      async () => (await review(hits[1])).status,
    ];
    const results: unknown[] = [];
    for (const change of changes) {
      const etag = await readEtag(id);
      expect(await isNotModified(id, etag)).toBe(true);
      results.push(await change());
      expect(await isNotModified(id, etag)).toBe(false);
      expect(getVersion(await readEtag(id))).toBeGreaterThan(getVersion(etag));
      expectMismatch(await decideAsSeen(id, etag, { decision: 'approve', override: true, reason: 'Looked at.' }));
    }
    expect(results).toEqual(['completed', 200, 'declined', 200]);
  });

  test('changes with the name of a reviewer, on which no decision depends', async () => {
    const { id } = await createSession(key);
    const account = await tenant.createUserWithRoles({ business: 'sales', identity: 'reviewer' });
    const { headers } = await signInFromBrowser(account);
    const note = await call('POST', `/v1/sessions/${id}/notes`, { headers, json: { text: 'Expected today.' } });
    expect(note.status).toBe(201);
    const etag = await readEtag(id);
    expect(await isNotModified(id, `W/${etag}`)).toBe(true);

    const admin = await signInFromBrowser(tenant.admin);
    const { body } = await call('GET', '/api/admin/users?pageSize=100', { headers: admin.headers });
    const users = body['data'] as { id: number; email: string }[];
    const user = users.find(({ email }) => email === account.email);
    const json = { name: 'Iris Okafor' };
    const renamed = await call('PUT', `/api/admin/users/${user?.id}`, { headers: admin.headers, json });
    expect(renamed.status).toBe(200);
    const changed = await read(id, { 'if-none-match': etag });
    expect(parseSession(changed).notes).toMatchObject([{ byName: 'Iris Okafor' }]);
    expect(getEtag(changed)).not.toBe(etag);
    expect(getVersion(getEtag(changed))).toBe(getVersion(etag));
  });
});
