import { makeDemoImages } from '../../../../scripts/demo/images';
import { Outbox } from '../../../../models/platform/transactions/outbox';
import { call } from '../../../support/client';
import {
  createSession,
  eventsOf,
  facelessPicture,
  listSessions,
  postDocument,
  postLiveness,
} from '../../../support/identity/identity';
import { closeTestPlatform, createTenant, testPlatform } from '../../../support/tenant';

const SESSIONS = 50;
/** So many are whole sessions, with a document; the others ask for a selfie alone. */
const WHOLE = 8;
const BOUND_MS = 300_000;

/** Between two looks: the engines need the machine more than the questions do. */
const pause = () => new Promise((resolve) => setTimeout(resolve, 500));

afterAll(closeTestPlatform);

test(
  'fifty sessions at once all come to an end: nothing is owed, nothing runs on, each told once',
  async () => {
    const tenant = await createTenant('At once');
    const key = tenant.identityKey;
    const images = await makeDemoImages();
    const made = await call('POST', '/v1/sessions/workflows', {
      key,
      json: { name: 'Selfie', features: ['liveness'], actions: { no_face: 'ignore' } },
    });
    const workflowId = (made.body['workflow'] as { id: string }).id;

    // Nobody waits for results: all fifty are in the queue before the first is done.
    const ids = await Promise.all(
      Array.from({ length: SESSIONS }, async (_, index) => {
        const whole = index < WHOLE;
        // One person throughout: the same document of another would be a duplicate.
        const options = whole ? { features: ['id', 'liveness', 'face_match'], externalId: 'one' } : { workflowId };
        const { id } = await createSession(key, options);
        const image = whole ? images.selfie : { body: await facelessPicture() };
        const taken = [await postLiveness(key, { sessionId: id, image }, {}, '?wait=0')];
        if (whole) {
          const form = { sessionId: id, frontImage: images.passport };
          taken.push(await postDocument(key, form, {}, '?wait=0'));
        }
        for (const { status } of taken) expect([201, 202]).toContain(status);
        return id;
      }),
    );
    while ((await listSessions(key, '?status=not_started,in_progress')).total > 0) await pause();
    const { sessions, total } = await listSessions(key, '?status=approved&limit=100');
    expect({ total, ids: sessions.map(({ id }) => id).sort() }).toEqual({ total: SESSIONS, ids: ids.toSorted() });

    const told = await Promise.all(ids.map(eventsOf));
    for (const types of told) expect(types.filter((type) => type === 'session.completed')).toHaveLength(1);
    const platform = await testPlatform();
    for (;;) {
      const owed = await Outbox.countDocuments({ organisationId: tenant.organisationId, doneAt: null });
      const query = `VouchOrg = '${tenant.organisationId}' AND ExecutionStatus = 'Running'`;
      const { count } = await platform.temporal.workflow.count(query);
      if (owed === 0 && count === 0) return;
      await pause();
    }
  },
  BOUND_MS,
);
