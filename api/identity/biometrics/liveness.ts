import { z } from 'zod';
import { invalidFieldError } from '../../../domain/errors';
import {
  FRAME_LIMITS,
  LIVENESS_ACTIONS,
  MAX_UNANSWERED_CHALLENGES,
} from '../../../domain/identity/biometrics/active-liveness';
import type { LivenessChallengeRecord } from '../../../models/identity/biometrics/liveness-challenge';
import { createChallenge } from '../../../services/identity/biometrics/liveness-challenges';
import { checkUpload } from '../../../services/identity/checks/uploads';
import type { Upload } from '../../../services/identity/checks/uploads';
import { defineRoute } from '../../http/route';
import type { Route, UploadedFile } from '../../http/route';
import {
  respondWithCheck,
  CHECK_ERRORS,
  buildCheckReplies,
  IMAGE_REQUIREMENTS,
  SANDBOX_HEADER,
} from '../checks/check-replies';
import { waitQuery } from '../waiting';

const COUNT_PROBLEM = `accepts a whole number 2–${LIVENESS_ACTIONS.length}`;

/** Number of actions of a challenge. */
export const challengeCount = z
  .int(COUNT_PROBLEM)
  .min(2, COUNT_PROBLEM)
  .max(LIVENESS_ACTIONS.length, COUNT_PROBLEM)
  .default(3);

const sessionId = z.string().min(1).max(64).optional();

/** Accepts either one image, or the frames that answer a challenge. */
export function collectLivenessUploads(
  files: Readonly<Record<string, UploadedFile>>,
  challengeId: string | undefined,
): Upload[] {
  const frames = Object.keys(files).filter((field) => field.startsWith('frames['));
  if (challengeId === undefined) {
    if (frames.length > 0) throw invalidFieldError('challengeId', 'is required with frames');
    return [checkUpload('image', files['image']?.body)];
  }
  if (files['image'] !== undefined) throw invalidFieldError('image', 'is not accepted with a challenge; send frames');
  if (frames.length < FRAME_LIMITS.least) {
    throw invalidFieldError('frames', `accepts ${FRAME_LIMITS.least}–${FRAME_LIMITS.most} files`);
  }
  return frames.map((_, index) => checkUpload(`frames[${index}]`, files[`frames[${index}]`]?.body));
}

const check = defineRoute({
  method: 'post',
  path: '/v1/biometrics/liveness',
  operationId: 'checkLiveness',
  summary: 'Check that a live person is in front of the camera',
  description: [
    'Passive: one photograph as `image`; the result has the score and its parts.',
    `Active: \`challengeId\` and ${FRAME_LIMITS.least}–${FRAME_LIMITS.most} \`frames\` in the order of capture, about three per second; the person faces the camera at the beginning and at the end. The server verifies that the same person performs the actions of the challenge in their order; the most frontal frame is also evaluated passively. This is the stronger check.`,
  ].join('\n\n'),
  tag: 'Biometrics',
  permission: 'biometrics:write',
  idempotent: true,
  headers: SANDBOX_HEADER,
  query: waitQuery,
  body: z.strictObject({
    sessionId: sessionId.meta({
      description: 'Session whose liveness step the check is; without one the check is standalone.',
    }),
    challengeId: z.string().min(1).max(64).optional().meta({ description: 'Challenge that `frames` answer.' }),
  }),
  files: {
    image: { required: false, description: `Selfie; required without a challenge. ${IMAGE_REQUIREMENTS}` },
    frames: {
      required: false,
      maxCount: FRAME_LIMITS.most,
      description: `Frames of an active check, at most 64 MB in total. ${IMAGE_REQUIREMENTS}`,
    },
  },
  replies: buildCheckReplies('liveness'),
  errors: {
    ...CHECK_ERRORS,
    409: 'The session does not accept this check now, or the challenge was already answered (`challenge_used`).',
    410: 'The challenge has expired (`challenge_expired`).',
  },
  handle: (context, { query, body, files }) =>
    respondWithCheck(context, query, {
      kind: 'liveness',
      sessionId: body.sessionId,
      challengeId: body.challengeId,
      uploads: collectLivenessUploads(files, body.challengeId),
    }),
});

export const challengeSchema = z
  .object({
    challengeId: z.string(),
    sessionId: z.string().nullable(),
    actions: z.array(z.enum(LIVENESS_ACTIONS)).meta({
      description: "Actions that the person must perform, in this order. Left and right are the person's own.",
    }),
    frames: z.object({ least: z.number().int(), most: z.number().int() }),
    expiresAt: z.iso.datetime(),
  })
  .meta({ id: 'LivenessChallenge' });

export const EXAMPLE_CHALLENGE = {
  challengeId: 'chl_01JQZ4R8W3M6N9P2T5V8X1Y4Z7',
  sessionId: null,
  actions: ['turn_left', 'come_closer', 'blink'],
  frames: FRAME_LIMITS,
  expiresAt: '2026-11-21T10:05:00.000Z',
};

export const CHALLENGES_EXHAUSTED = 'The session has drawn as many challenges as it may (`challenges_exhausted`).';

/** Response body of a challenge, which also states how many frames an answer may have. */
export const presentChallenge = (challenge: LivenessChallengeRecord): z.infer<typeof challengeSchema> => ({
  challengeId: challenge._id,
  sessionId: challenge.sessionId,
  actions: challenge.actions,
  frames: FRAME_LIMITS,
  expiresAt: challenge.expiresAt.toISOString(),
});

const challenge = defineRoute({
  method: 'post',
  path: '/v1/biometrics/liveness/challenges',
  operationId: 'createLivenessChallenge',
  summary: 'Create a liveness challenge',
  description: `Returns actions in random order. The challenge can be answered once, within five minutes, by \`POST /v1/biometrics/liveness\`. A session may draw ${MAX_UNANSWERED_CHALLENGES} challenges, and another one for each attempt at its liveness step, so that a person cannot draw until certain actions come up; when a reviewer requests the step again, counting begins anew. Challenges without \`sessionId\` are not limited.`,
  tag: 'Biometrics',
  addition: true,
  permission: 'biometrics:write',
  body: z.strictObject({
    sessionId: sessionId.meta({ description: 'Session that the challenge is bound to.' }),
    count: challengeCount,
  }),
  bodyExample: { count: 3 },
  replies: {
    201: {
      description: 'The challenge.',
      schema: z.object({ challenge: challengeSchema }),
      example: { challenge: EXAMPLE_CHALLENGE },
    },
  },
  errors: { 409: CHALLENGES_EXHAUSTED },
  async handle({ platform, credential }, { body }) {
    const createdChallenge = await createChallenge(platform, credential, credential.id, body);
    return { status: 201, body: { challenge: presentChallenge(createdChallenge) } };
  },
});

export const livenessRoutes: readonly Route[] = [check, challenge];
