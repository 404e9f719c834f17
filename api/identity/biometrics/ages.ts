import { z } from 'zod';
import { checkUpload } from '../../../services/identity/checks/uploads';
import { wholeNumberParameter } from '../../http/paging';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import {
  respondWithCheck,
  CHECK_ERRORS,
  buildCheckReplies,
  IMAGE_REQUIREMENTS,
  SANDBOX_HEADER,
} from '../checks/check-replies';
import { waitQuery } from '../waiting';

const estimate = defineRoute({
  method: 'post',
  path: '/v1/biometrics/age',
  operationId: 'estimateAge',
  summary: 'Estimate the age of a person',
  description: [
    'Estimates the age of the largest face, with the interval that contains the age of nine out of ten people and the mean error of the model at this age.',
    '`meetsMinimumAge` is yes or no only if the whole interval is on one side of `minimumAge`. No raises `minimum_age_not_met` and declines the check; uncertain raises it for review, because only a document can decide.',
    'A session that verifies `age` and `liveness` estimates the age of the selfie automatically.',
  ].join('\n\n'),
  tag: 'Biometrics',
  permission: 'biometrics:write',
  idempotent: true,
  headers: SANDBOX_HEADER,
  query: waitQuery,
  body: z.strictObject({
    sessionId: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .meta({ description: 'Session whose age step the check is; without one the check is standalone.' }),
    minimumAge: wholeNumberParameter('accepts whole years 1–120', 1, 120).optional(),
  }),
  files: { image: { required: true, description: `Selfie. ${IMAGE_REQUIREMENTS}` } },
  replies: buildCheckReplies('age'),
  errors: CHECK_ERRORS,
  handle: (context, { query, body, files }) =>
    respondWithCheck(context, query, {
      kind: 'age',
      sessionId: body.sessionId,
      uploads: [checkUpload('image', files['image']?.body)],
      details: { minimumAge: body.minimumAge ?? null },
    }),
});

export const ageRoutes: readonly Route[] = [estimate];
