import { z } from 'zod';
import {
  CAPTURE_ACCESS_MS,
  endCaptureBrowser,
  exchangeLink,
  findCaptureBrowser,
  isLinkOf,
} from '../../../services/identity/capture/browsers';
import type { OpenedBrowser } from '../../../services/identity/capture/browsers';
import { getCaptureState, getReturnUrl, runUnlessErased } from '../../../services/identity/capture/capture-state';
import { createHandOverLink, createPersonLink } from '../../../services/identity/capture/links';
import { computeCsrfToken } from '../../../services/platform/access/csrf-tokens';
import { requireAllowedOrigin } from '../../http/browser';
import { idParam } from '../../http/paging';
import { defineRoute } from '../../http/route';
import type { Route, RouteContext } from '../../http/route';
import { sessionStatusSchema } from '../sessions/session-values';
import { ERASED } from './capture';
import { CAPTURE_PERMISSION, createCaptureJar, getPageOrigins, requireCaptureBrowser } from './capture-credential';
import { captureStateSchema, exampleCaptureState, presentCaptureState } from './capture-responses';
import { exampleLink, linkSchema, presentLink } from './link-response';

const TOKEN_PROBLEM = 'accepts the part of the link after #';

const createLink = defineRoute({
  method: 'post',
  path: '/v1/sessions/:id/links',
  operationId: 'createSessionLink',
  summary: 'Create a link to the capture page',
  description:
    'For an open session, such as one whose steps a reviewer has requested again. Replaces an earlier link that was not used.',
  tag: 'Sessions',
  addition: true,
  permission: 'sessions:write',
  params: z.object({ id: idParam('ses') }),
  replies: {
    201: {
      description: 'The link. A session that was not started keeps its expiry.',
      schema: z.object({ link: linkSchema }),
      example: { link: exampleLink },
    },
  },
  errors: {
    409: 'The session has ended or is in review (`session_closed`), or the page cannot complete it (`session_not_capturable`).',
  },
  async handle({ platform, credential }, { params }) {
    const link = await createPersonLink(platform, credential, credential.id, params.id);
    return { status: 201, body: { link: presentLink(link) } };
  },
});

/** The browser that a request comes from, if it has opened this very link before; such as after a reload. */
async function findOpenedBefore(context: RouteContext, token: string): Promise<OpenedBrowser | null> {
  const { platform } = context;
  const cookie = createCaptureJar(platform.config).read(context.header('cookie') ?? null);
  const browser = cookie === null ? null : await findCaptureBrowser(platform, cookie);
  if (cookie === null || browser === null || !(await isLinkOf(browser, token))) return null;
  return { browser, token: cookie };
}

const exchange = defineRoute({
  method: 'post',
  path: '/v1/capture/exchange',
  operationId: 'exchangeCaptureLink',
  summary: 'Open the capture page with the token of a link',
  description:
    'Sets an httpOnly cookie that gives access to the session of the link, and to nothing else, for a day. A link can be exchanged once; the browser that has exchanged it may repeat the request. Requires the `Origin` of the page, as does every later request except GET, in addition to the CSRF token.',
  tag: 'Capture',
  addition: true,
  permission: 'public',
  body: z.strictObject({
    token: z.string({ error: TOKEN_PROBLEM }).min(1, TOKEN_PROBLEM).max(100, TOKEN_PROBLEM),
  }),
  bodyExample: { token: '8t1Gk3…' },
  replies: {
    200: {
      description: 'The state of the capture; its cookie is in `Set-Cookie`.',
      schema: z.object({ csrfToken: z.string(), state: captureStateSchema }),
      example: { csrfToken: 'f1d2…', state: exampleCaptureState },
    },
  },
  errors: {
    403: 'The request does not come from the capture page.',
    404: 'There is no such link (`link_unknown`).',
    410: 'The link was used (`link_used`) or has expired (`link_expired`), or its session was erased (`session_erased`).',
  },
  async handle(context, { body }) {
    const { platform } = context;
    requireAllowedOrigin(getPageOrigins(platform.config), context.header('origin') ?? null);
    const opened = (await findOpenedBefore(context, body.token)) ?? (await exchangeLink(platform, body.token));
    const state = presentCaptureState(await getCaptureState(platform, opened.browser));
    return {
      status: 200,
      headers: { 'Set-Cookie': createCaptureJar(platform.config).set(opened.token, CAPTURE_ACCESS_MS / 1000) },
      body: { csrfToken: computeCsrfToken(platform, opened.browser._id), state },
    };
  },
});

const handOver = defineRoute({
  method: 'post',
  path: '/v1/capture/hand-overs',
  operationId: 'handOverCapture',
  summary: 'Create a link for another device of the person',
  description: 'Shown as a QR code: the other device continues, and this one follows by `GET /v1/capture/events`.',
  tag: 'Capture',
  addition: true,
  permission: CAPTURE_PERMISSION,
  replies: {
    201: {
      description: 'The link, which is valid for ten minutes and replaces an earlier one.',
      schema: z.object({ link: linkSchema }),
      example: { link: exampleLink },
    },
  },
  errors: { ...ERASED, 409: 'The session accepts no captures now (`session_closed`).' },
  async handle({ platform, credential }) {
    const browser = requireCaptureBrowser(credential);
    const { _id, sessionId } = browser;
    const link = await runUnlessErased(browser, () => createHandOverLink(platform, credential, _id, sessionId));
    return { status: 201, body: { link: presentLink(link) } };
  },
});

const finish = defineRoute({
  method: 'post',
  path: '/v1/capture/finish',
  operationId: 'finishCapture',
  summary: 'End the access of the browser',
  description: 'Removes the cookie. The session itself goes on: its checks are processed and it is decided.',
  tag: 'Capture',
  addition: true,
  permission: CAPTURE_PERMISSION,
  replies: {
    200: {
      description: 'Where the person returns to: the `callbackUrl` with the id and status of the session, or null.',
      schema: z.object({ sessionId: z.string(), status: sessionStatusSchema, returnUrl: z.string().nullable() }),
      example: {
        sessionId: exampleCaptureState.sessionId,
        status: 'in_progress',
        returnUrl: exampleCaptureState.returnUrl,
      },
    },
  },
  errors: ERASED,
  async handle({ platform, credential }) {
    const browser = requireCaptureBrowser(credential);
    const { session } = await getCaptureState(platform, browser);
    await endCaptureBrowser(platform, browser);
    return {
      status: 200,
      headers: { 'Set-Cookie': createCaptureJar(platform.config).clear() },
      body: { sessionId: session._id, status: session.status, returnUrl: getReturnUrl(session) },
    };
  },
});

/** The route that callers of the API use. */
export const captureLinkRoutes: readonly Route[] = [createLink];

export const captureAccessRoutes: readonly Route[] = [exchange, handOver, finish];
