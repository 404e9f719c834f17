import { FEATURES } from '../../../../domain/identity/sessions/features';
import { newId } from '../../../../lib/ids';
import { Check } from '../../../../models/identity/checks/check';
import { DataKey } from '../../../../models/platform/evidence/data-key';
import { draftCheck } from '../../../../services/identity/checks/check-store';
import { getSessionDetail } from '../../../../services/identity/sessions/session-details';
import { Session as SessionModel } from '../../../../models/identity/sessions/session';
import { Audit } from '../../../../models/platform/audit/audit';
import { Counter } from '../../../../models/platform/transactions/counter';
import { Outbox } from '../../../../models/platform/transactions/outbox';
import { withSessionNumber } from '../../../../services/identity/sessions/sessions';
import type { CheckRecord } from '../../../../models/identity/checks/check';
import { summariseEndedCheck } from '../../../../services/identity/checks/check-results';
import { endIdleSession } from '../../../../services/identity/sessions/session-flow';
import { call } from '../../../support/client';
import {
  parseCheck,
  createSession,
  listEventTypes,
  createFacelessImage,
  getSession,
  listSessions,
  postLiveness,
  createSessionInReview,
} from '../../../support/identity/identity';
import { closeTestPlatform, createIdentityTenant, getStartedWorkflow, getTestPlatform } from '../../../support/tenant';
import type { IdentityTenant } from '../../../support/tenant';
import { DAY_MS, MINUTE_MS } from '../../../../domain/durations';

let tenant: IdentityTenant;
let other: IdentityTenant;

beforeAll(async () => {
  tenant = await createIdentityTenant('Sessions');
  other = await createIdentityTenant('Other');
});
afterAll(closeTestPlatform);

describe('creating a session', () => {
  test('needs no options and verifies document, liveness and face match', async () => {
    const session = await createSession(tenant.identityKey);
    expect(session).toMatchObject({
      status: 'not_started',
      mode: 'live',
      features: ['id', 'liveness', 'face_match'],
      decision: null,
      steps: ['id', 'liveness', 'face_match'].map((feature) => ({
        feature,
        status: 'not_run',
        attempts: 0,
        attemptsLeft: 3,
        checkIds: [],
      })),
    });
    expect(session.url).toContain('/verify#');
    expect(Date.parse(session.expiresAt) - Date.parse(session.createdAt)).toBe(7 * DAY_MS);
    expect(await getSession(tenant.identityKey, session.id)).toEqual({ ...session, url: null });
    expect(await listEventTypes(session.id)).toEqual(['session.created']);
  });

  test('stores every option, and countries as alpha-3 codes', async () => {
    const options = {
      features: ['id'],
      externalId: 'customer-1',
      metadata: { branch: 'Lyon', tags: [1, 'two', null] },
      callbackUrl: 'https://shop.example/done',
      language: 'pt-BR',
      expected: { firstName: 'Ana', dateOfBirth: '1990-02-28', country: 'pt', nationality: 'PRT' },
      contact: { email: 'ana@example.org', phone: '+351912345678' },
    };
    const session = await createSession(tenant.identityKey, options);
    expect(session).toMatchObject({ ...options, expected: { ...options.expected, country: 'PRT' } });
  });

  test.each([
    ['en', 'en'],
    ['pt-BR', 'pt-BR'],
    ['zh-Hant', 'zh-Hant'],
    ['zh-Hant-TW', 'zh-Hant-TW'],
    ['sr-Latn', 'sr-Latn'],
    ['es-419', 'es-419'],
    ['ZH-hant-tw', 'zh-Hant-TW'],
    ['iw', 'he'],
  ])('stores the language %s as %s', async (language, stored) => {
    expect((await createSession(tenant.identityKey, { language })).language).toBe(stored);
  });

  test.each(['english', 'e', 'zh_Hant', 'zh-Hant-Hans', 'de-1996', 'en-u-ca-buddhist', 'x-private', '', ' en'])(
    'refuses the language %j and says what is accepted',
    async (language) => {
      const { status, body } = await call('POST', '/v1/sessions', { key: tenant.identityKey, json: { language } });
      const problem = 'accepts a language tag such as en, pt-BR or zh-Hant-TW';
      expect([status, body]).toMatchObject([400, { error: { details: { fields: [{ field: 'language', problem }] } } }]);
    },
  );

  test('numbers the sessions of an organisation without gaps or duplicates, also after refused and interrupted requests', async () => {
    const own = await createIdentityTenant('Numbered');
    const refused = { key: own.identityKey, json: { workflowId: 'wfl_unknown' } };
    const create = () => createSession(own.identityKey);
    const sessions = await Promise.all(Array.from({ length: 10 }, create));
    expect((await call('POST', '/v1/sessions', refused)).status).toBe(404);
    const platform = await getTestPlatform();
    const scope = { organisationId: own.organisationId, mode: 'live' } as const;
    const failed = withSessionNumber(platform, scope, () => Promise.reject(new Error('no transaction')));
    await expect(failed).rejects.toThrow('no transaction');
    // A process that ended before, and one that ended after it had created its session.
    const pending = [11, 1].map((number) => ({ number, until: new Date(0) }));
    await Counter.updateOne({ _id: `${own.organisationId}.session.live` }, { $set: { pending, value: 11 } });
    sessions.push(...(await Promise.all([create(), create()])));
    const numbers = sessions.map(({ number }) => number).sort((a, b) => a - b);
    expect(numbers).toEqual(Array.from({ length: 12 }, (_, at) => at + 1));
  });

  test('takes the next number with one command while none was given back', async () => {
    const own = await createIdentityTenant('Numbered once');
    await createSession(own.identityKey);
    const platform = await getTestPlatform();
    const take = jest.spyOn(Counter, 'findOneAndUpdate');
    const scope = { organisationId: own.organisationId, mode: 'live' } as const;
    expect(await withSessionNumber(platform, scope, (number) => Promise.resolve(number))).toBe(2);
    expect(take).toHaveBeenCalledTimes(1);
    take.mockRestore();
  });

  test('is read with one read of its data key, with the results of its checks', async () => {
    const { id } = await createSession(tenant.identityKey, { externalId: 'one key', features: ['age'] });
    const platform = await getTestPlatform();
    const scope = { organisationId: tenant.organisationId, mode: 'live' } as const;
    const details = { minimumAge: 18 };
    const draft = { _id: newId('chk'), kind: 'age', sessionId: id, origin: 'client', createdBy: 'test' } as const;
    await Check.create([draftCheck(platform, scope, { ...draft, inputs: [], details })]);
    const readKeys = jest.spyOn(DataKey, 'find');
    const { session } = await getSessionDetail(platform, scope, id);
    expect(session.externalId).toBe('one key');
    expect(readKeys).toHaveBeenCalledTimes(1);
    readKeys.mockRestore();
  });

  test.each<[string, object, string]>([
    ['features of a wrong type', { features: 'id' }, 'features'],
    ['no features', { features: [] }, 'features'],
    ['an unknown feature', { features: ['id', 'palm'] }, 'features[1]'],
    ['an unknown option', { feature: ['id'] }, 'feature'],
    ['a number as externalId', { externalId: 7 }, 'externalId'],
    ['a script as callbackUrl', { callbackUrl: 'javascript:alert(1)' }, 'callbackUrl'],
    ['an invalid language tag', { language: 'english' }, 'language'],
    ['too much metadata', { metadata: { text: 'x'.repeat(5000) } }, 'metadata'],
    ['metadata that is a list', { metadata: [] }, 'metadata'],
    ['a birthday that does not exist', { expected: { dateOfBirth: '1990-02-30' } }, 'expected.dateOfBirth'],
    ['a birthday in the future', { expected: { dateOfBirth: '2999-01-01' } }, 'expected.dateOfBirth'],
    ['a country that does not exist', { expected: { country: 'XX' } }, 'expected.country'],
    ['the number of a country', { expected: { country: '250' } }, 'expected.country'],
    ['a nationality as a number', { expected: { nationality: '250' } }, 'expected.nationality'],
    ['an unknown expectation', { expected: { eyes: 'blue' } }, 'expected.eyes'],
    ['an address without @', { contact: { email: 'ana' } }, 'contact.email'],
    ['an address that DNS cannot have', { contact: { email: `ana@${'a'.repeat(64)}.example` } }, 'contact.email'],
  ])('refuses %s by its name', async (_what, json, field) => {
    const { status, body } = await call('POST', '/v1/sessions', { key: tenant.identityKey, json });
    expect(status).toBe(400);
    expect(body).toMatchObject({ ok: false, error: { code: 'invalid_request', details: { fields: [{ field }] } } });
  });

  test('names the available features', async () => {
    const { body } = await call('POST', '/v1/sessions', { key: tenant.identityKey, json: { features: ['palm'] } });
    expect(JSON.stringify(body)).toContain(`accepts ${FEATURES.join(', ')}`);
  });

  test('happens once per idempotency key, which is rejected with another body', async () => {
    const request = {
      key: tenant.identityKey,
      json: { externalId: 'once' },
      headers: { 'idempotency-key': 'session-once' },
    };
    const responses = await Promise.all([call('POST', '/v1/sessions', request), call('POST', '/v1/sessions', request)]);
    expect(responses.map(({ status }) => status)).toEqual([201, 201]);
    expect(responses[0]?.body).toEqual(responses[1]?.body);
    expect((await listSessions(tenant.identityKey, '?externalId=once')).total).toBe(1);
    const changed = await call('POST', '/v1/sessions', { ...request, json: { externalId: 'twice' } });
    expect(changed.status).toBe(422);
  });

  test('writes one audit row with field names but no values', async () => {
    const { id } = await createSession(tenant.identityKey, { externalId: 'secret-case' });
    const rows = await Audit.find({ subject: id }).lean();
    expect(rows).toMatchObject([{ action: 'session.created', fields: ['externalId'] }]);
    expect(JSON.stringify(rows)).not.toContain('secret-case');
  });

  test('starts a workflow with the id of the session and a readable summary', async () => {
    const { id } = await createSession(tenant.identityKey);
    await (await getStartedWorkflow(id)).describe();
    expect(await Outbox.find({ workflowId: id }).lean()).toMatchObject([{ kind: 'start', outcome: 'started' }]);
  });
});

describe('time', () => {
  const at = (date: string, ms: number) => ({ now: () => new Date(Date.parse(date) + ms) });

  test('expires a session that was not started, and not a minute too early', async () => {
    const platform = await getTestPlatform();
    const { id, expiresAt } = await createSession(tenant.identityKey);
    const follower = { sessionId: id, opening: 1 };
    const early = await endIdleSession({ ...platform, clock: at(expiresAt, -2 * MINUTE_MS) }, follower);
    expect(early).toMatchObject({ status: 'not_started', final: false });
    const due = await endIdleSession({ ...platform, clock: at(expiresAt, 0) }, follower);
    expect(due).toMatchObject({ status: 'expired', final: true });
    expect(await listEventTypes(id)).toEqual(['session.created', 'session.expired']);
    const again = await endIdleSession({ ...platform, clock: at(expiresAt, DAY_MS) }, follower);
    expect(again.status).toBe('expired');
    expect(await listEventTypes(id)).toHaveLength(2);
  });

  test('abandons a started session a day after its last activity', async () => {
    const platform = await getTestPlatform();
    const { id } = await createSession(tenant.identityKey);
    const form = { sessionId: id, image: { body: await createFacelessImage() } };
    parseCheck(await postLiveness(tenant.identityKey, form));
    const { lastActivityAt } = await getSession(tenant.identityKey, id);
    const follower = { sessionId: id, opening: 1 };
    const early = await endIdleSession({ ...platform, clock: at(lastActivityAt, DAY_MS - 120_000) }, follower);
    expect(early).toMatchObject({ status: 'in_progress', final: false });
    const due = await endIdleSession({ ...platform, clock: at(lastActivityAt, DAY_MS) }, follower);
    expect(due).toMatchObject({ status: 'abandoned', final: true });
    expect((await listEventTypes(id)).at(-1)).toBe('session.abandoned');
    const late = await postLiveness(tenant.identityKey, form);
    expect(late.status).toBe(409);
    expect(late.body).toMatchObject({ error: { code: 'session_closed', details: { status: 'abandoned' } } });
  });

  test('does not affect a session in review', async () => {
    const platform = await getTestPlatform();
    const { id, createdAt } = await createSessionInReview(tenant.identityKey);
    const much = { ...platform, clock: at(createdAt, 400 * DAY_MS) };
    expect(await endIdleSession(much, { sessionId: id, opening: 1 })).toMatchObject({
      status: 'in_review',
      final: false,
    });
  });
});

describe('a progress that may have the version of a signal on its way', () => {
  const reportTwice = async (sessionId: string) => {
    const platform = await getTestPlatform();
    const check = await Check.findOne({ sessionId }).orFail().lean<CheckRecord>();
    const ended = await summariseEndedCheck(platform, check);
    const idle = await endIdleSession(platform, { sessionId, opening: 1 });
    return [ended.progress, idle];
  };

  test('has an open session advanced, since the signal is then taken for a repetition', async () => {
    const { id } = await createSession(tenant.identityKey);
    parseCheck(await postLiveness(tenant.identityKey, { sessionId: id, image: { body: await createFacelessImage() } }));
    for (const progress of await reportTwice(id)) expect(progress).toMatchObject({ status: 'in_progress', due: true });
  });

  test('says that nothing is due in a session that is decided or in review', async () => {
    const { id } = await createSessionInReview(tenant.identityKey);
    for (const progress of await reportTwice(id)) expect(progress).toMatchObject({ status: 'in_review', due: false });
  });
});

describe('access to sessions', () => {
  const routes: [string, string, object | undefined][] = [
    ['GET', '/v1/sessions/:id', undefined],
    ['POST', '/v1/sessions/:id/decision', { decision: 'decline' }],
  ];

  test.each(routes)('is denied to other organisations by %s %s', async (method, path, json) => {
    const { id } = await createSession(tenant.identityKey);
    const options = { key: other.identityKey, ...(json === undefined ? {} : { json }) };
    const foreign = await call(method, path.replace(':id', id), options);
    const missing = await call(method, path.replace(':id', `ses_${'0'.repeat(26)}`), options);
    expect([foreign.status, missing.status]).toEqual([404, 404]);
    const withoutRequestId = (body: Record<string, unknown>) => ({ ...(body['error'] as object), requestId: '' });
    expect(withoutRequestId(foreign.body)).toEqual(withoutRequestId(missing.body));
    expect(await SessionModel.findById(id).lean()).toMatchObject({ status: 'not_started', version: 1 });
  });

  test.each<[string, string, object | undefined, string]>([
    ['POST', '/v1/sessions', {}, 'sessions:write'],
    ['GET', '/v1/sessions', undefined, 'sessions:read'],
    ['GET', '/v1/sessions/pending', undefined, 'sessions:read'],
    ['GET', `/v1/sessions/ses_${'0'.repeat(26)}`, undefined, 'sessions:read'],
    ['POST', `/v1/sessions/ses_${'0'.repeat(26)}/decision`, { decision: 'approve' }, 'sessions:decide'],
  ])('needs for %s %s a key, and the permission', async (method, path, json, permission) => {
    const options = json === undefined ? {} : { json };
    const anonymous = await call(method, path, options);
    expect(anonymous.status).toBe(401);
    expect(anonymous.body).toMatchObject({ ok: false, error: { code: 'unauthorized' } });
    const key = await tenant.createIdentityKey(['webhooks:read']);
    const denied = await call(method, path, { ...options, key });
    expect(denied.status).toBe(403);
    expect(denied.body).toMatchObject({ ok: false, error: { code: 'forbidden', details: { permission } } });
  });

  test('is 404 for an id of any other form', async () => {
    for (const id of ['1', 'chk_01JQZ4R8W3M6N9P2T5V8X1Y4Z7', '%00', 'ses_']) {
      expect((await call('GET', `/v1/sessions/${id}`, { key: tenant.identityKey })).status).toBe(404);
    }
  });
});
