import { makeDemoImages } from '../../../../scripts/demo/images';
import { Outbox } from '../../../../models/platform/transactions/outbox';
import { MINUTE_MS } from '../../../../domain/durations';
import { call } from '../../../support/client';
import {
  createSession,
  listEventTypes,
  createFacelessImage,
  listSessions,
  postDocument,
  postLiveness,
} from '../../../support/identity/identity';
import { pollUntilFound } from '../../../support/poll';
import { closeTestPlatform, createIdentityTenant, getTestPlatform } from '../../../support/tenant';

const SESSION_COUNT = 50;
/** Number of sessions that also verify a document; the others verify liveness only. */
const FULL_SESSION_COUNT = 4;

/** Interval between polls, which leaves the processor to the engines. */
const POLL_MS = 500;
/** All sessions have ended by then, also on a busy machine; within the limit of the test. */
const LIMIT_MS = 8 * MINUTE_MS;

afterAll(closeTestPlatform);

test('fifty concurrent sessions all end: no outbox row is pending, no workflow runs, each emits one completion event', async () => {
  const tenant = await createIdentityTenant('At once');
  const key = tenant.identityKey;
  const images = await makeDemoImages();
  const created = await call('POST', '/v1/sessions/workflows', {
    key,
    json: { name: 'Selfie', features: ['liveness'], actions: { no_face: 'ignore' } },
  });
  const workflowId = (created.body['workflow'] as { id: string }).id;

  // No request waits for its result: all fifty are queued before the first one completes.
  const ids = await Promise.all(
    Array.from({ length: SESSION_COUNT }, async (_, index) => {
      const isFullSession = index < FULL_SESSION_COUNT;
      // The same person in all sessions: otherwise the document would be a duplicate.
      const options = isFullSession
        ? { features: ['id', 'liveness', 'face_match'], externalId: 'one' }
        : { workflowId };
      const { id } = await createSession(key, options);
      const image = isFullSession ? images.selfie : { body: await createFacelessImage() };
      const taken = [await postLiveness(key, { sessionId: id, image }, {}, '?wait=0')];
      if (isFullSession) {
        const form = { sessionId: id, frontImage: images.passport };
        taken.push(await postDocument(key, form, {}, '?wait=0'));
      }
      for (const { status } of taken) expect([201, 202]).toContain(status);
      return id;
    }),
  );
  let running = SESSION_COUNT;
  await pollUntilFound(
    async () => {
      running = (await listSessions(key, '?status=not_started,in_progress')).total;
      return running === 0 ? true : undefined;
    },
    { everyMs: POLL_MS, limit: { ms: LIMIT_MS, message: () => `${running} sessions have not ended.` } },
  );
  const { sessions, total } = await listSessions(key, '?status=approved&limit=100');
  expect({ total, ids: sessions.map(({ id }) => id).sort() }).toEqual({ total: SESSION_COUNT, ids: ids.toSorted() });

  const eventTypes = await Promise.all(ids.map(listEventTypes));
  for (const types of eventTypes) expect(types.filter((type) => type === 'session.completed')).toHaveLength(1);
  const platform = await getTestPlatform();
  let left = '';
  await pollUntilFound(
    async () => {
      const pendingRows = await Outbox.countDocuments({ organisationId: tenant.organisationId, doneAt: null });
      const query = `VouchOrg = '${tenant.organisationId}' AND ExecutionStatus = 'Running'`;
      const { count } = await platform.temporal.workflow.count(query);
      left = `${pendingRows} outbox rows are pending, and ${count} workflows run.`;
      return pendingRows === 0 && count === 0 ? true : undefined;
    },
    { everyMs: POLL_MS, limit: { ms: MINUTE_MS, message: () => left } },
  );
});
