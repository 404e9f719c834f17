import { capturePageRoutes } from '../../../../api/identity/capture';
import { Audit } from '../../../../models/platform/audit/audit';
import { Evidence } from '../../../../models/platform/evidence/evidence';
import { makeDemoImages } from '../../../../scripts/demo/images';
import type { DemoImages } from '../../../../scripts/demo/images';
import { getOrigin, signInFromBrowser } from '../../../support/browser';
import { call } from '../../../support/client';
import {
  callAsPage,
  consent,
  createCapture,
  createLink,
  followUntil,
  openCapture,
  parseState,
  readRefusal,
} from '../../../support/identity/capture';
import type { CapturePage } from '../../../support/identity/capture';
import { pollUntilFound } from '../../../support/poll';
import { createFacelessImage, getSession, postDecision, waitForStatus } from '../../../support/identity/identity';
import { closeTestPlatform, createTenant, getTestPlatform } from '../../../support/tenant';
import type { Tenant } from '../../../support/tenant';

let tenant: Tenant;
let key: string;
let images: DemoImages;

beforeAll(async () => {
  tenant = await createTenant('Capture GmbH');
  key = tenant.identityKey;
  images = await makeDemoImages();
});
afterAll(closeTestPlatform);

const postSelfie = async (page: CapturePage, body?: Buffer, headers: Record<string, string> = {}) =>
  callAsPage(page, 'POST', '/v1/capture/liveness', {
    headers,
    form: { image: { body: body ?? (await createFacelessImage()) } },
  });

describe('the access of a browser', () => {
  test('is to the routes of the capture page only, and those accept no other credential', async () => {
    const { id, page } = await createCapture(key);
    const user = await signInFromBrowser(tenant.admin);
    expect(readRefusal(await callAsPage(page, 'GET', `/v1/sessions/${id}`))).toEqual([401, 'unauthorized']);
    for (const { method, path, permission } of capturePageRoutes) {
      if (permission === 'public') continue;
      const request = { key, headers: user.headers };
      expect([path, readRefusal(await call(method.toUpperCase(), path, request))]).toEqual([
        path,
        [401, 'unauthorized'],
      ]);
    }
  });

  test('changes something only with the origin of the page and its own CSRF token', async () => {
    const { page } = await createCapture(key);
    const other = (await createCapture(key)).page;
    const send = (headers: Record<string, string>) =>
      call('POST', '/v1/capture/hand-overs', { headers: { ...page.headers, ...headers } });
    expect(readRefusal(await send({ origin: 'https://evil.example' }))).toEqual([403, 'origin_not_allowed']);
    expect(readRefusal(await send({ 'x-csrf-token': other.headers['x-csrf-token'] ?? '' }))).toEqual([
      403,
      'csrf_token_invalid',
    ]);
    expect((await send({})).status).toBe(201);
  });

  test('is ended by one of several requests at once; the others are answered like any later request', async () => {
    const { page } = await createCapture(key);
    const finish = () => callAsPage(page, 'POST', '/v1/capture/finish');
    const responses = (await Promise.all(Array.from({ length: 6 }, finish))).map(readRefusal);
    expect(responses.sort(([a], [b]) => a - b)).toEqual([
      [200, undefined],
      ...Array.from({ length: 5 }, () => [401, 'unauthorized']),
    ]);
  });

  test('rejects unknown parameters and fields by name', async () => {
    const { page } = await createCapture(key);
    for (const { method, path, permission, body, files } of capturePageRoutes) {
      if (permission === 'public') continue;
      const json = body === undefined || files !== undefined ? {} : { json: {} };
      const form = files === undefined ? {} : { form: {} };
      const response = await callAsPage(page, method.toUpperCase(), `${path}?unknownParameter=1`, { ...json, ...form });
      expect([path, response.status, JSON.stringify(response.body)]).toEqual([
        path,
        400,
        expect.stringContaining('unknownParameter'),
      ]);
    }
  });
});

describe('a capture', () => {
  test('needs consent first, whose text and version the session keeps', async () => {
    const { id, page } = await createCapture(key, { features: ['liveness'] });
    expect(page.state).toMatchObject({ open: true, consent: null, organisation: { name: 'Capture GmbH' } });
    expect(readRefusal(await postSelfie(page))).toEqual([409, 'consent_required']);
    const outdated = { json: { version: '1', language: 'de' } };
    expect(readRefusal(await callAsPage(page, 'POST', '/v1/capture/consent', outdated))).toEqual([
      409,
      'consent_outdated',
    ]);
    const { consent: given } = await consent(page, 'de');
    const session = await getSession(key, id);
    expect(session.status).toBe('not_started');
    expect(session.consent).toMatchObject({ version: given?.version, language: 'de', at: given?.at });
    expect(session.consent?.text).toContain('Ich willige ein, dass Capture GmbH');
    await getTestPlatform();
    const actions = (await Audit.find({ organisationId: tenant.organisationId, subject: id }).lean()).map(
      ({ action }) => action,
    );
    expect(actions.sort()).toEqual(['capture.consented', 'capture.opened', 'session.created']);
  });

  test('verifies a person from link to decision, on two devices, and returns id and status only', async () => {
    const { id, page } = await createCapture(key, { callbackUrl: 'https://shop.example/done?order=7' });
    await consent(page);
    const chosen = await callAsPage(page, 'POST', '/v1/capture/document-choice', {
      json: { type: 'passport', country: 'FR' },
    });
    expect(parseState(chosen)).toMatchObject({ documentChoice: { type: 'passport', country: 'FR' } });
    const front = { form: { frontImage: images.passport }, headers: { 'idempotency-key': `front-${id}` } };
    const sent = parseState(await callAsPage(page, 'POST', '/v1/capture/document', front), 201);
    expect(sent.steps[0]).toMatchObject({ feature: 'id', task: 'document', attemptsLeft: 2 });
    // The response was lost and the page sends it again.
    expect(parseState(await callAsPage(page, 'POST', '/v1/capture/document', front), 201).steps[0]?.attemptsLeft).toBe(
      2,
    );
    const handOver = await callAsPage(page, 'POST', '/v1/capture/hand-overs');
    const { url, expiresAt } = handOver.body['link'] as { url: string; expiresAt: string };
    expect(Date.parse(expiresAt) - Date.now()).toBeLessThanOrEqual(600_000);
    const followed = followUntil(page, (_event, data) => data['handedOver'] === true);
    const phone = await openCapture(url);
    expect(phone.state).toMatchObject({
      documentChoice: { type: 'passport' },
    });
    expect(await followed).toMatchObject({ handOvers: 1 });
    const decided = followUntil(page, (_event, data) => data['status'] === 'approved');
    parseState(await postSelfie(phone, images.selfie.body), 201);
    expect(await decided).toMatchObject({
      sessionId: id,
      decided: true,
      steps: [{ status: 'passed' }, { status: 'passed' }],
    });
    const finished = await callAsPage(phone, 'POST', '/v1/capture/finish');
    expect(finished.body).toEqual({
      ok: true,
      sessionId: id,
      status: 'approved',
      returnUrl: `https://shop.example/done?order=7&session_id=${id}&status=approved`,
    });
    expect(finished.headers.get('set-cookie')).toMatch(/^vouch_capture_\d+=; Max-Age=0/);
    expect(readRefusal(await callAsPage(phone, 'GET', '/v1/capture/state'))).toEqual([401, 'unauthorized']);
  });

  test('is followed at most ten times at once by one browser, and again when others of these have ended', async () => {
    const { page } = await createCapture(key);
    const streams = Array.from({ length: 10 }, () => new AbortController());
    const follow = ({ headers }: CapturePage, signal?: AbortSignal) =>
      fetch(`${getOrigin()}/v1/capture/events`, { headers, ...(signal === undefined ? {} : { signal }) });
    const opened = await Promise.all(streams.map(({ signal }) => follow(page, signal)));
    expect(opened.map(({ status }) => status)).toEqual(streams.map(() => 200));
    const refused = await callAsPage(page, 'GET', '/v1/capture/events');
    expect([readRefusal(refused), refused.headers.get('retry-after')]).toEqual([[429, 'rate_limit_exceeded'], '10']);
    const other = await createCapture(key);
    expect((await follow(other.page, streams[0]?.signal)).status).toBe(200);
    streams[0]?.abort();
    const again = await pollUntilFound(async () => {
      const response = await follow(page, streams[1]?.signal);
      return response.status === 200 ? response : undefined;
    });
    expect(again.headers.get('content-type')).toMatch(/^text\/event-stream/);
    for (const stream of streams) stream.abort();
  });

  test('keeps the front until the back arrives, as one check, and removes what is replaced or left', async () => {
    const { id, page } = await createCapture(key, { features: ['id'] });
    const keep = (image: { body: Buffer }) =>
      callAsPage(page, 'PUT', '/v1/capture/document/front', { form: { frontImage: image } });
    expect(readRefusal(await keep(images.passport))).toEqual([409, 'consent_required']);
    await consent(page);
    const choose = (type: string) =>
      callAsPage(page, 'POST', '/v1/capture/document-choice', { json: { type, country: 'SE' } });
    parseState(await choose('identity_card'));
    const submit = (form: object = {}) =>
      callAsPage(page, 'POST', '/v1/capture/document', {
        form: { ...form },
        headers: { 'idempotency-key': `both-${id}` },
      });
    const none = await submit();
    expect([none.status, JSON.stringify(none.body)]).toEqual([400, expect.stringContaining('frontImage')]);
    expect(parseState(await keep(images.selfie)).frontKept).toBe(true);
    expect(parseState(await choose('driving_licence')).frontKept).toBe(false);
    await keep(images.otherSelfie);
    expect(parseState(await keep(images.passport)).frontKept).toBe(true);
    await getTestPlatform();
    const findKept = () => Evidence.find({ organisationId: tenant.organisationId, recordId: id }).lean();
    const kept = await findKept();
    expect(kept).toHaveLength(1);
    expect((await getSession(key, id)).evidence).toEqual([]);
    const back = { backImage: { body: await createFacelessImage() } };
    const sent = parseState(await submit(back), 201);
    expect(sent).toMatchObject({ frontKept: false, steps: [{ feature: 'id', attemptsLeft: 2 }] });
    // The response was lost and the page sends it again.
    expect(parseState(await submit(back), 201).steps[0]?.attemptsLeft).toBe(2);
    const { evidence } = await getSession(key, id);
    expect(evidence.map(({ field, checkId }) => [field, checkId])).toEqual([
      ['frontImage', evidence[0]?.checkId],
      ['backImage', evidence[0]?.checkId],
    ]);
    expect(evidence[0]?.id).toBe(kept[0]?._id);
    const { id: cancelled, page: left } = await createCapture(key, { features: ['id'] });
    await consent(left);
    const form = { frontImage: images.passport };
    parseState(await callAsPage(left, 'PUT', '/v1/capture/document/front', { form }));
    await call('POST', `/v1/sessions/${cancelled}/cancel`, { key, json: {} });
    expect(await Evidence.countDocuments({ organisationId: tenant.organisationId, recordId: cancelled })).toBe(0);
  });

  test('shows only what a better capture may cure, and a resubmission opens the named steps by a new link', async () => {
    const { id, page } = await createCapture(key, { features: ['liveness', 'poa'] });
    await consent(page);
    parseState(await postSelfie(page), 201);
    const retried = await followUntil(page, (_event, data) => JSON.stringify(data).includes('"retry"'));
    expect(retried['steps']).toMatchObject([
      { feature: 'liveness', task: 'liveness', status: 'retry', attemptsLeft: 2, problems: ['no_face'] },
      { feature: 'poa', task: 'address', status: 'not_run' },
    ]);
    parseState(await postSelfie(page), 201);
    await followUntil(page, (_event, data) => /"retry","attemptsLeft":1/.test(JSON.stringify(data)));
    parseState(await postSelfie(page), 201);
    await waitForStatus(key, id, 'in_review');
    expect(readRefusal(await createLink(id, key))).toEqual([409, 'session_closed']);
    expect((await postDecision(key, id, { decision: 'resubmit', steps: ['liveness'] })).status).toBe(200);
    const { body } = await createLink(id, key);
    const again = await openCapture((body['link'] as { url: string }).url);
    expect(again.state).toMatchObject({
      status: 'resubmission_requested',
      open: true,
      steps: [{ feature: 'liveness', status: 'not_run', attemptsLeft: 3 }, { feature: 'poa' }],
    });
  });

  test('offers the accepted documents and liveness challenges of its session, and other selfies without liveness', async () => {
    const workflow = await call('POST', '/v1/sessions/workflows', {
      key,
      json: {
        name: 'Narrow',
        features: ['id', 'age'],
        acceptedDocuments: [{ type: 'identity_card', countries: ['FR', 'DEU'] }],
        branding: { name: 'Shop', primaryColor: '#1a73e8' },
      },
    });
    const { id: workflowId } = workflow.body['workflow'] as { id: string };
    const { page } = await createCapture(key, { workflowId });
    expect(page.state).toMatchObject({
      organisation: { name: 'Shop', primaryColor: '#1a73e8' },
      documents: [{ type: 'identity_card', countries: ['DE', 'FR'], back: true }],
      steps: [{ task: 'document' }, { feature: 'age', task: 'selfie' }],
    });
    await consent(page);
    const json = { type: 'passport', country: 'FR' };
    expect(readRefusal(await callAsPage(page, 'POST', '/v1/capture/document-choice', { json }))).toEqual([
      400,
      'invalid_request',
    ]);
    const form = { feature: 'age', image: images.selfie };
    expect(parseState(await callAsPage(page, 'POST', '/v1/capture/selfie', { form }), 201).steps[1]).toMatchObject({
      feature: 'age',
      attemptsLeft: 2,
    });
    const { body } = await callAsPage(page, 'POST', '/v1/capture/liveness-challenges', { json: { count: 2 } });
    expect(body['challenge']).toMatchObject({
      sessionId: page.state.sessionId,
      actions: [expect.any(String), expect.any(String)],
    });
    const addresses = await callAsPage(page, 'POST', '/v1/capture/address', {
      form: { document: images.selfie },
    });
    expect(readRefusal(addresses)).toEqual([409, 'feature_not_requested']);
  });
});
