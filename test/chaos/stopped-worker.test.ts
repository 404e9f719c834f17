import { sendRequest } from '../../bench/load/http';
import type { ApiResponse } from '../../bench/load/http';
import { call } from '../support/client';
import {
  createFacelessImage,
  createSession,
  getSession,
  postDecision,
  postLiveness,
} from '../support/identity/identity';
import { pollUntilFound } from '../support/poll';
import { shareOwnStack } from '../support/shared-stack';

let stack: Awaited<ReturnType<typeof shareOwnStack>>;
let api: string;
let key: string;
beforeAll(async () => {
  stack = await shareOwnStack();
  ({ api, identityApiKey: key } = stack.run());
});

/** Runs `work` while the only worker, with all pools, is stopped. */
async function withStoppedWorker<T>(work: () => Promise<T>): Promise<T> {
  stack.kill('worker', 'SIGSTOP');
  try {
    return await work();
  } finally {
    stack.kill('worker', 'SIGCONT');
  }
}

/** Expects a 503 after which the same request is to be sent again. */
function expectNotReady({ status, headers, body }: ApiResponse, error: object): void {
  expect([status, body]).toMatchObject([503, { ok: false, error }]);
  expect(headers.get('retry-after')).toBe('5');
}

test('a screening that no worker runs has no result, and the repeated request returns that of the same screening', async () => {
  const { identityTestKey } = stack;
  const request = {
    key: identityTestKey,
    json: { fullName: 'Unlisted Person', monitoring: true },
    headers: { 'idempotency-key': 'stopped-screening' },
  };
  const late = await withStoppedWorker(() => sendRequest(api, 'POST', '/v1/aml/screen?wait=1', request));
  const screeningId = expect.stringMatching(/^aml_/) as string;
  const message = 'The screening did not complete in time and has no result.';
  expectNotReady(late, { code: 'screening_unavailable', message, details: { screeningId } });
  expect(JSON.stringify(late.body)).not.toContain('match');

  const repeated = await call('POST', '/v1/aml/screen', { api, ...request });
  const { details } = late.body['error'] as { details: { screeningId: string } };
  expect([repeated.status, repeated.body]).toMatchObject([
    200,
    { match: false, hits: [], screening: { id: details.screeningId, status: 'completed' } },
  ]);
  for (const list of ['screenings', 'monitors'])
    expect((await call('GET', `/v1/aml/${list}`, { api, key: identityTestKey })).body).toMatchObject({ total: 1 });
});

test('a report that no worker renders is not ready, and is returned once one does', async () => {
  const { id } = await createSession(key, { features: ['liveness'] }, { api });
  const path = `/v1/sessions/${id}/report`;
  const late = await withStoppedWorker(() => sendRequest(api, 'GET', path, { key }));
  expectNotReady(late, { code: 'rendering_not_ready', message: 'The file is still being rendered; try again.' });

  const { status, body } = await call('GET', path, { api, key });
  expect(status).toBe(200);
  const { pathname } = new URL(String(body['url']));
  expect((await call('GET', pathname, { api })).bytes.subarray(0, 5).toString()).toBe('%PDF-');
});

/** A declined session with the ids of its files and of a share. */
async function createSharedSession() {
  const { id } = await createSession(key, { features: ['liveness'] }, { api });
  for (let attempt = 0; attempt < 3; attempt += 1)
    await postLiveness(key, { sessionId: id, image: { body: await createFacelessImage() } }, { api });
  const { evidence } = await pollUntilFound(async () => {
    const session = await getSession(key, id, { api });
    return session.status === 'in_review' ? session : undefined;
  });
  await postDecision(key, id, { decision: 'decline' }, { api });
  const json = { consentText: 'I agree.' };
  const { body } = await call('POST', `/v1/sessions/${id}/share`, { key, api, json });
  return { id, files: evidence.map((file) => file.id), shareId: String(body['shareId']) };
}

test('an erasure that no worker completes has made the record unreadable, and is completed once one runs', async () => {
  const { id, files, shareId } = await createSharedSession();
  const file = `/v1/sessions/${id}/evidence/${files[0]}`;
  const link = new URL(String((await call('GET', file, { api, key })).body['url'])).pathname;

  const receipt = await withStoppedWorker(async () => {
    const accepted = await sendRequest(api, 'DELETE', `/v1/sessions/${id}`, { key });
    const erasure = accepted.body['erasure'] as { id: string };
    const evidence = files.map((fileId) => expect.objectContaining({ id: fileId }) as object);
    const started = { recordId: id, status: 'erasing', completedAt: null, dataKeysDestroyed: 1, evidence };
    expect([accepted.status, accepted.body]).toMatchObject([
      202,
      { deleted: true, erasure: { ...started, objectsRemoved: null, collections: [] } },
    ]);
    const gone = [
      ['GET', `/v1/sessions/${id}`],
      ['GET', file],
      ['GET', `${file}?preview=true`],
      ['GET', link],
      ['GET', `/v1/sessions/${id}/report`],
      ['GET', `/v1/sessions/${id}/shares`],
      ['DELETE', `/v1/sessions/${id}/shares/${shareId}`],
      ['DELETE', `/v1/sessions/${id}`],
    ] as const;
    for (const [method, path] of gone) {
      const { status } = await sendRequest(api, method, path, { key });
      expect([method, path, status]).toEqual([method, path, 404]);
    }
    const running = await sendRequest(api, 'GET', '/v1/erasures?status=erasing', { key });
    expect(running.body).toMatchObject({ total: 1, erasures: [{ id: erasure.id }] });
    return accepted.headers.get('location') ?? '';
  });

  const completed = await pollUntilFound(async () => {
    const { body } = await call('GET', receipt, { api, key });
    const erasure = body['erasure'] as { status: string; collections: { name: string; removed: number }[] };
    return erasure.status === 'completed' ? erasure : undefined;
  });
  const count = files.length;
  expect(completed).toMatchObject({ recordId: id, objectsRemoved: count, completedAt: expect.any(String) as string });
  const removed = Object.fromEntries(completed.collections.map((each) => [each.name, each.removed]));
  expect(removed).toMatchObject({ sessions: 1, shares: 1, checks: count, evidence: count, evidence_renditions: 0 });
});
