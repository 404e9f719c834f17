import { makeDemoImages } from '../../../../scripts/demo/images';
import { Outbox } from '../../../../models/platform/transactions/outbox';
import { call } from '../../../support/client';
import {
  createSession,
  listEventTypes,
  createFacelessImage,
  listSessions,
  postDocument,
  postLiveness,
} from '../../../support/identity/identity';
import { closeTestPlatform, createIdentityTenant as createTenant, getTestPlatform } from '../../../support/tenant';

const SESSION_COUNT = 50;
/** Number of sessions that also verify a document; the others verify liveness only. */
const FULL_SESSION_COUNT = 4;

/** Interval between polls, which leaves the processor to the engines. */
const pause = () => new Promise((resolve) => setTimeout(resolve, 500));

afterAll(closeTestPlatform);

test('fifty concurrent sessions all end: no outbox row is pending, no workflow runs, each emits one completion event', async () => {
  const tenant = await createTenant('At once');
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
  while ((await listSessions(key, '?status=not_started,in_progress')).total > 0) await pause();
  const { sessions, total } = await listSessions(key, '?status=approved&limit=100');
  expect({ total, ids: sessions.map(({ id }) => id).sort() }).toEqual({ total: SESSION_COUNT, ids: ids.toSorted() });

  const eventTypes = await Promise.all(ids.map(listEventTypes));
  for (const types of eventTypes) expect(types.filter((type) => type === 'session.completed')).toHaveLength(1);
  const platform = await getTestPlatform();
  for (;;) {
    const pendingRows = await Outbox.countDocuments({ organisationId: tenant.organisationId, doneAt: null });
    const query = `VouchOrg = '${tenant.organisationId}' AND ExecutionStatus = 'Running'`;
    const { count } = await platform.temporal.workflow.count(query);
    if (pendingRows === 0 && count === 0) return;
    await pause();
  }
});
