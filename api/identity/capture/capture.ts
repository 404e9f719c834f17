import { z } from 'zod';
import { CAPTURE_DOCUMENT_TYPES } from '../../../domain/identity/capture/document-choice';
import { chooseDocument, getConsentText, recordConsent } from '../../../services/identity/capture/capture-choices';
import { getBrowserSession, getCaptureState } from '../../../services/identity/capture/capture-state';
import { streamCaptureEvents } from '../../../services/identity/capture/progress-events';
import { computeCsrfToken } from '../../../services/platform/access/csrf-tokens';
import { defineRoute } from '../../http/route';
import type { Route, RouteContext } from '../../http/route';
import { country } from '../sessions/session-fields';
import { CAPTURE_PERMISSION, requireCaptureBrowser } from './capture-credential';
import { captureLanguage, captureStateSchema, exampleCaptureState, presentCaptureState } from './capture-responses';

/** The present state, as the page shows it. */
export async function readState({ platform, credential }: RouteContext): Promise<z.infer<typeof captureStateSchema>> {
  return presentCaptureState(await getCaptureState(platform, requireCaptureBrowser(credential)));
}

/** The reply of routes that change the capture. */
export const STATE_REPLY = {
  description: 'The state of the capture.',
  schema: z.object({ state: captureStateSchema }),
  example: { state: exampleCaptureState },
};

export const ERASED = { 410: 'The session was erased (`session_erased`).' } as const;

const get = defineRoute({
  method: 'get',
  path: '/v1/capture/state',
  operationId: 'getCaptureState',
  summary: 'Get the state of the capture',
  description:
    'What the page needs to continue, on any device and after any interruption: the finished and open steps, without results.',
  tag: 'Capture',
  addition: true,
  permission: CAPTURE_PERMISSION,
  replies: {
    200: {
      description: 'The state of the capture, and the CSRF token of the browser.',
      schema: z.object({ csrfToken: z.string(), state: captureStateSchema }),
      example: { csrfToken: 'f1d2…', state: exampleCaptureState },
    },
  },
  errors: ERASED,
  async handle(context) {
    const { _id } = requireCaptureBrowser(context.credential);
    const state = await readState(context);
    return { status: 200, body: { csrfToken: computeCsrfToken(context.platform, _id), state } };
  },
});

const consentText = defineRoute({
  method: 'get',
  path: '/v1/capture/consent',
  operationId: 'getCaptureConsent',
  summary: 'Get the text that the person consents to',
  tag: 'Capture',
  addition: true,
  permission: CAPTURE_PERMISSION,
  query: z.strictObject({ language: captureLanguage.default('en') }),
  replies: {
    200: {
      description: 'The text with its version; the last paragraph is the consent itself.',
      schema: z.object({
        consent: z.object({ version: z.string(), language: captureLanguage, paragraphs: z.array(z.string()) }),
      }),
      example: {
        consent: {
          version: '2026-11-22',
          language: 'en',
          paragraphs: ['Example GmbH asks you to confirm who you are. …', 'I consent to Example GmbH processing …'],
        },
      },
    },
  },
  errors: ERASED,
  async handle({ credential }, { query }) {
    const session = await getBrowserSession(requireCaptureBrowser(credential));
    return { status: 200, body: { consent: await getConsentText(session, query.language) } };
  },
});

const consent = defineRoute({
  method: 'post',
  path: '/v1/capture/consent',
  operationId: 'giveCaptureConsent',
  summary: 'Record the consent of the person',
  description: 'Nothing of the person is accepted before. The session keeps the text that was shown, and its version.',
  tag: 'Capture',
  addition: true,
  permission: CAPTURE_PERMISSION,
  body: z.strictObject({
    version: z.string().min(1).max(40).meta({ description: 'Version of the text that was shown.' }),
    language: captureLanguage,
  }),
  bodyExample: { version: '2026-11-22', language: 'fr' },
  replies: { 200: STATE_REPLY },
  errors: { ...ERASED, 409: 'The text has changed since it was shown (`consent_outdated`), or the session has ended.' },
  async handle(context, { body }) {
    await recordConsent(context.platform, requireCaptureBrowser(context.credential), body);
    return { status: 200, body: { state: await readState(context) } };
  },
});

const TYPE_PROBLEM = `accepts ${CAPTURE_DOCUMENT_TYPES.join(', ')}`;

const choose = defineRoute({
  method: 'post',
  path: '/v1/capture/document-choice',
  operationId: 'chooseCaptureDocument',
  summary: 'Record which document the person photographs',
  tag: 'Capture',
  addition: true,
  permission: CAPTURE_PERMISSION,
  body: z.strictObject({ type: z.enum(CAPTURE_DOCUMENT_TYPES, { error: TYPE_PROBLEM }), country }),
  bodyExample: { type: 'identity_card', country: 'FR' },
  replies: { 200: STATE_REPLY },
  errors: {
    ...ERASED,
    409: 'The person has not consented (`consent_required`), or the session verifies no document or has ended.',
  },
  async handle(context, { body }) {
    await chooseDocument(context.platform, requireCaptureBrowser(context.credential), body);
    return { status: 200, body: { state: await readState(context) } };
  },
});

const events = defineRoute({
  method: 'get',
  path: '/v1/capture/events',
  operationId: 'followCapture',
  summary: 'Follow the capture',
  description:
    'Server-sent events: `state` with the state of the capture, at once and after every change, and `end` with a `code` when the access has ended. The stream ends after ten minutes at the latest; browsers connect again.',
  tag: 'Capture',
  addition: true,
  permission: CAPTURE_PERMISSION,
  replies: { 200: { description: 'The events.', contentType: 'text/event-stream' } },
  errors: ERASED,
  async handle(context) {
    const browser = requireCaptureBrowser(context.credential);
    await getBrowserSession(browser);
    const stream = streamCaptureEvents(context.platform, browser, () => readState(context));
    return {
      status: 200,
      // A proxy that collects responses would hold events back.
      headers: { 'X-Accel-Buffering': 'no' },
      stream: [stream],
      contentType: 'text/event-stream',
    };
  },
});

export const captureRoutes: readonly Route[] = [get, consentText, consent, choose, events];
