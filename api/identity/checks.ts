import { z } from 'zod';
import { CHECKS } from '../../domain/identity/checks';
import type { CheckKind } from '../../domain/identity/checks';
import { awaitCheck, getCheck } from '../../services/identity/checks';
import { checkImageUpload } from '../../services/identity/uploads';
import { idParam } from '../paging';
import { defineRoute } from '../route';
import type { Route } from '../route';
import { answerCheck, CHECK_ERRORS, checkReplies, IMAGE, SANDBOX_HEADER } from './check-answers';
import { checkSchema, exampleCheck, presentCheck } from './check-schema';
import { waitQuery, waitSeconds } from './waiting';

interface FileRule {
  /** a session may spare the client from sending it */
  required: 'always' | 'without session' | 'never';
  description: string;
}

interface CheckRoute {
  kind: CheckKind;
  path: string;
  operationId: string;
  summary: string;
  description: string;
  tag: string;
  permission: string;
  files: Record<string, FileRule>;
}

/** A route that takes pictures, records a check and answers with its result when it is there in time. */
const checkRoute = ({ kind, files, ...route }: CheckRoute): Route =>
  defineRoute({
    ...route,
    method: 'post',
    idempotent: true,
    headers: SANDBOX_HEADER,
    query: waitQuery,
    body: z.strictObject({
      sessionId: z
        .string()
        .min(1)
        .max(64)
        .optional()
        .meta({
          description: `The session whose ${CHECKS[kind].feature} step it is; without one the check stands alone.`,
        }),
    }),
    files: Object.fromEntries(
      Object.entries(files).map(([field, { required, description }]) => [
        field,
        { required: required === 'always', description },
      ]),
    ),
    replies: checkReplies(kind),
    errors: CHECK_ERRORS,
    handle(context, { query, body, files: given }) {
      const uploads = Object.entries(files).flatMap(([field, { required }]) => {
        const spared = required === 'never' || (required === 'without session' && body.sessionId !== undefined);
        return given[field] === undefined && spared ? [] : [checkImageUpload(field, given[field]?.body)];
      });
      return answerCheck(context, query, { kind, sessionId: body.sessionId, uploads });
    },
  });

const idVerification = checkRoute({
  kind: 'id_verification',
  path: '/v1/documents/id-verification',
  operationId: 'verifyIdentityDocument',
  summary: 'Verify an identity document',
  description: 'Reads passport, card, licence, permit or visa from one or two photographs and judges them.',
  tag: 'Documents',
  permission: 'documents:write',
  files: {
    frontImage: { required: 'always', description: `The side with the portrait, or the data page. ${IMAGE}` },
    backImage: { required: 'never', description: `The other side. ${IMAGE}` },
  },
});

const faceMatch = checkRoute({
  kind: 'face_match',
  path: '/v1/biometrics/face-match',
  operationId: 'matchFaces',
  summary: 'Compare two faces',
  description: [
    'The largest face of each picture is compared.',
    "In a session `refImage` may be left out: the portrait of its document is used. A session that verifies both document and liveness compares the two by itself; a client's own comparison is then answered too, and never outweighs it.",
  ].join('\n\n'),
  tag: 'Biometrics',
  permission: 'biometrics:write',
  files: {
    userImage: { required: 'always', description: `The person. ${IMAGE}` },
    refImage: {
      required: 'without session',
      description: `The person or document to compare with; required without a session. ${IMAGE}`,
    },
  },
});

const get = defineRoute({
  method: 'get',
  path: '/v1/checks/:id',
  operationId: 'getCheck',
  summary: 'Get a check',
  description: 'With `wait` the answer is held until the check has ended or the time is up.',
  tag: 'Checks',
  addition: true,
  permission: 'checks:read',
  params: z.object({ id: idParam('chk') }),
  query: waitQuery,
  replies: {
    200: {
      description: 'The check; `status` tells whether its result is there.',
      schema: z.object({ check: checkSchema }),
      example: { check: exampleCheck },
    },
  },
  async handle({ platform, credential, preferences }, { params, query }) {
    const asked = query.wait !== undefined || preferences.waitSeconds !== null;
    const check = asked
      ? await awaitCheck(platform, credential, params.id, waitSeconds(query, preferences))
      : await getCheck(credential, params.id);
    return { status: 200, body: { check: presentCheck(check) } };
  },
});

export const checkRoutes: readonly Route[] = [idVerification, faceMatch, get];
