import { z } from 'zod';
import { FRAME_LIMITS } from '../../../domain/identity/biometrics/active-liveness';
import { requireConsent } from '../../../services/identity/capture/capture-choices';
import { keepFront } from '../../../services/identity/capture/front-picture';
import { getBrowserSession, runUnlessErased } from '../../../services/identity/capture/capture-state';
import { createChallenge } from '../../../services/identity/biometrics/liveness-challenges';
import { submitCheck } from '../../../services/identity/checks/submit-check';
import type { NewCheck } from '../../../services/identity/checks/submit-check';
import { checkUpload } from '../../../services/identity/checks/uploads';
import { defineRoute } from '../../http/route';
import type { Route, RouteContext } from '../../http/route';
import { CHECK_ERRORS, IMAGE_REQUIREMENTS } from '../checks/check-replies';
import {
  challengeCount,
  CHALLENGES_EXHAUSTED,
  challengeSchema,
  collectLivenessUploads,
  EXAMPLE_CHALLENGE,
  presentChallenge,
} from '../biometrics/liveness';
import { ERASED, readState, STATE_REPLY } from './capture';
import { CAPTURE_PERMISSION, requireCaptureBrowser } from './capture-credential';

const PAGE_REQUIREMENTS = `${IMAGE_REQUIREMENTS.replace('or HEIC', 'HEIC or PDF')}`;

const UPLOAD_ERRORS = {
  ...CHECK_ERRORS,
  ...ERASED,
  409: 'The person has not consented (`consent_required`), the step was captured already, such as on another device (`step_captured`), or the session does not accept this check now.',
} as const;

/** Replies of every upload: the state only, because results are for the organisation. */
const UPLOAD_REPLY = { 201: { ...STATE_REPLY, description: 'The state, in which the step is being processed.' } };

/** Submits a check of the session whose page sends it, as the routes for callers of the API do. */
async function submitCapture(context: RouteContext, input: Omit<NewCheck, 'sessionId' | 'isCapture'>) {
  const { platform, credential, idempotency } = context;
  const browser = requireCaptureBrowser(credential);
  const session = await getBrowserSession(browser);
  requireConsent(session);
  const check = { ...input, sessionId: session._id, isCapture: true };
  await runUnlessErased(browser, () => submitCheck(platform, credential, credential.id, check, idempotency));
  return { status: 201, body: { state: await readState(context) } } as const;
}

const uploadRoute = { method: 'post', tag: 'Capture', addition: true, permission: CAPTURE_PERMISSION } as const;

const document = defineRoute({
  ...uploadRoute,
  path: '/v1/capture/document',
  operationId: 'captureDocument',
  summary: 'Submit photographs of the identity document',
  description: 'The front may be left out if it was kept before (`PUT /v1/capture/document/front`).',
  idempotent: true,
  body: z.strictObject({}),
  files: {
    frontImage: {
      required: false,
      description: `Side with the portrait, or data page; required unless it was kept. ${PAGE_REQUIREMENTS}`,
    },
    backImage: { required: false, description: `Other side of the document. ${PAGE_REQUIREMENTS}` },
  },
  replies: UPLOAD_REPLY,
  errors: {
    ...UPLOAD_ERRORS,
    409: `${UPLOAD_ERRORS[409]} \`session_changed\`: the front that the session keeps was replaced meanwhile; try again.`,
  },
  handle: (context, { files }) =>
    submitCapture(context, {
      kind: 'id_verification',
      uploads: ['frontImage', 'backImage'].flatMap((field) => {
        const file = files[field];
        return file === undefined ? [] : [checkUpload(field, file.body, 'image or PDF')];
      }),
    }),
});

const front = defineRoute({
  ...uploadRoute,
  method: 'put',
  path: '/v1/capture/document/front',
  operationId: 'keepCaptureFront',
  summary: 'Keep the front of the identity document until its back is submitted',
  description:
    'A reload, a crash or another device then continues with the back. Replaces a front that was kept before; it is removed when another document is chosen and when the session ends, and erased with the session.',
  body: z.strictObject({}),
  files: { frontImage: { required: true, description: `Side with the portrait. ${PAGE_REQUIREMENTS}` } },
  replies: { 200: STATE_REPLY },
  errors: UPLOAD_ERRORS,
  async handle(context, { files }) {
    const upload = checkUpload('frontImage', files['frontImage']?.body, 'image or PDF');
    const browser = requireCaptureBrowser(context.credential);
    await runUnlessErased(browser, () => keepFront(context.platform, browser, upload));
    return { status: 200, body: { state: await readState(context) } };
  },
});

const address = defineRoute({
  ...uploadRoute,
  path: '/v1/capture/address',
  operationId: 'captureAddressProof',
  summary: 'Submit a proof of address',
  idempotent: true,
  body: z.strictObject({}),
  files: { document: { required: true, description: `Proof of address. ${PAGE_REQUIREMENTS}` } },
  replies: UPLOAD_REPLY,
  errors: UPLOAD_ERRORS,
  handle: (context, { files }) =>
    submitCapture(context, {
      kind: 'proof_of_address',
      uploads: [checkUpload('document', files['document']?.body, 'image or PDF')],
    }),
});

const liveness = defineRoute({
  ...uploadRoute,
  path: '/v1/capture/liveness',
  operationId: 'captureLiveness',
  summary: 'Submit a selfie, or the frames that answer a challenge',
  description: 'One `image` is the alternative for people who cannot perform the actions of a challenge.',
  idempotent: true,
  body: z.strictObject({ challengeId: z.string().min(1).max(64).optional() }),
  files: {
    image: { required: false, description: `Selfie; required without a challenge. ${IMAGE_REQUIREMENTS}` },
    frames: {
      required: false,
      maxCount: FRAME_LIMITS.most,
      description: `Frames in the order of capture, at most 64 MB in total. ${IMAGE_REQUIREMENTS}`,
    },
  },
  replies: UPLOAD_REPLY,
  errors: {
    ...UPLOAD_ERRORS,
    409: `${UPLOAD_ERRORS[409]} Or the challenge was already answered (\`challenge_used\`).`,
    410: 'The challenge has expired (`challenge_expired`), or the session was erased (`session_erased`).',
  },
  handle: (context, { body, files }) =>
    submitCapture(context, {
      kind: 'liveness',
      challengeId: body.challengeId,
      uploads: collectLivenessUploads(files, body.challengeId),
    }),
});

/** The kind of check of a selfie that does not prove liveness. */
const SELFIE_KINDS = { face_match: 'face_match', age: 'age' } as const;

const selfie = defineRoute({
  ...uploadRoute,
  path: '/v1/capture/selfie',
  operationId: 'captureSelfie',
  summary: 'Submit a selfie for a step other than liveness',
  description:
    'For sessions that compare the face with the portrait of the document, or estimate the age, without verifying liveness.',
  idempotent: true,
  body: z.strictObject({ feature: z.enum(['face_match', 'age'], { error: 'accepts face_match, age' }) }),
  files: { image: { required: true, description: `Selfie. ${IMAGE_REQUIREMENTS}` } },
  replies: UPLOAD_REPLY,
  errors: UPLOAD_ERRORS,
  async handle(context, { body, files }) {
    const kind = SELFIE_KINDS[body.feature];
    const { settings } = await getBrowserSession(requireCaptureBrowser(context.credential));
    const upload = checkUpload('image', files['image']?.body);
    return kind === 'age'
      ? submitCapture(context, {
          kind,
          uploads: [upload],
          details: { minimumAge: settings.thresholds.minimumAge ?? null },
        })
      : submitCapture(context, { kind, uploads: [{ ...upload, field: 'userImage' }] });
  },
});

const challenge = defineRoute({
  ...uploadRoute,
  path: '/v1/capture/liveness-challenges',
  operationId: 'createCaptureChallenge',
  summary: 'Create a liveness challenge for the person',
  description:
    'Returns actions in random order. The challenge can be answered once, within five minutes. How many a session may draw is limited, as with `POST /v1/biometrics/liveness/challenges`.',
  body: z.strictObject({ count: challengeCount }),
  bodyExample: { count: 3 },
  replies: {
    201: {
      description: 'The challenge.',
      schema: z.object({ challenge: challengeSchema }),
      example: { challenge: EXAMPLE_CHALLENGE },
    },
  },
  errors: { ...ERASED, 409: CHALLENGES_EXHAUSTED },
  async handle({ platform, credential }, { body }) {
    const browser = requireCaptureBrowser(credential);
    const { _id: sessionId } = await getBrowserSession(browser);
    const created = await runUnlessErased(browser, () =>
      createChallenge(platform, credential, credential.id, { sessionId, count: body.count }),
    );
    return { status: 201, body: { challenge: presentChallenge(created) } };
  },
});

export const captureUploadRoutes: readonly Route[] = [document, front, address, liveness, selfie, challenge];
