import { z } from 'zod';
import { SHARE_INCLUDES, SHARE_TTL_SECONDS } from '../../../domain/identity/sharing/sharing';
import { buildSessionDetail, getSessionDetail } from '../../../services/identity/sessions/session-details';
import { importSession } from '../../../services/identity/sharing/import';
import type { ShareImportInput, ShareSource } from '../../../services/identity/sharing/import';
import { shareSession } from '../../../services/identity/sharing/share';
import { idParam } from '../../http/paging';
import { defineRoute } from '../../http/route';
import type { ReplyFor, Route, RouteContext } from '../../http/route';
import { exampleSession, presentSession, sessionSchema } from '../sessions/session-responses';

const { min, max, default: defaultTtlSeconds } = SHARE_TTL_SECONDS;

const issuedShareSchema = z.object({
  shareToken: z.string().meta({ description: 'An ES256 JWT that holds iss, aud, jti and exp alone.' }),
  shareId: z.string(),
  audience: z.string(),
  include: z.array(z.enum(SHARE_INCLUDES)),
  expiresAt: z.iso.datetime(),
  bundle: z
    .object({ url: z.url(), expiresAt: z.iso.datetime() })
    .nullable()
    .meta({ description: 'Link to the file for another installation; null unless asked for.' }),
});

const share = defineRoute({
  method: 'post',
  path: '/v1/sessions/:id/share',
  operationId: 'shareSession',
  summary: 'Share a finished session with another organisation',
  description:
    'The token can be taken up once, by its audience, until it expires. The words of consent are kept on both sides. With `bundle` the answer links to a signed file that another installation verifies offline.',
  tag: 'Sessions',
  permission: 'sessions:share',
  idempotent: true,
  params: z.object({ id: idParam('ses') }),
  body: z.strictObject({
    audience: z.string().min(1).max(200).optional().meta({
      description:
        'Who may take it up: an organisation (`org_…`) of this installation, or the issuer (its address) of another one. Default: any organisation of this installation.',
    }),
    ttlSeconds: z
      .int({ error: `accepts whole seconds ${min}–${max}` })
      .min(min)
      .max(max)
      .default(defaultTtlSeconds),
    include: z
      .array(z.enum(SHARE_INCLUDES, { error: `accepts ${SHARE_INCLUDES.join(', ')}` }))
      .max(SHARE_INCLUDES.length)
      .default([])
      .meta({ description: 'What goes along besides the results.' }),
    consentText: z
      .string({ error: 'is required: what the person agreed to' })
      .trim()
      .min(1, 'is required: what the person agreed to')
      .max(4000)
      .meta({ description: 'What the person agreed to, in the words they were shown.' }),
    bundle: z.boolean().default(false).meta({ description: 'Also as a file for another installation.' }),
  }),
  bodyExample: {
    audience: 'org_01JQZ4A7C9E1G3J5M7P9R1T3V5',
    include: ['images'],
    consentText: 'I agree that Lender Ltd receives my verification from Bank AG.',
  },
  replies: {
    201: {
      description: 'The share.',
      schema: issuedShareSchema,
      example: {
        shareToken: 'eyJhbGciOiJFUzI1NiIsImtpZCI6IjN2In0.eyJpc3MiOiJodHRwczovL3ZvdWNoIn0.c2lnbmF0dXJl',
        shareId: 'shr_01JQZ5B1S3T5V7X9Z1B3D5F7H9',
        audience: 'org_01JQZ4A7C9E1G3J5M7P9R1T3V5',
        include: ['images'],
        expiresAt: '2026-11-21T11:00:00.000Z',
        bundle: null,
      },
    },
  },
  errors: {
    409: '`session_not_finished`: only approved, declined and lapsed sessions can be shared; or an Idempotency-Key in use.',
    410: '`evidence_missing`, `evidence_altered`: of a bundle, a file was lost or changed in the object store.',
    413: '`bundle_too_large`: a bundle holds at most 15 MB.',
  },
  async handle({ platform, credential, idempotency }, { params, body }) {
    const issued = await shareSession(platform, credential, credential.id, params.id, body, idempotency);
    const { share: record, token, bundle } = issued;
    return {
      status: 201,
      body: {
        shareToken: token,
        shareId: record._id,
        audience: record.audience,
        include: record.include,
        expiresAt: record.expiresAt.toISOString(),
        bundle: bundle === null ? null : { url: bundle.url, expiresAt: bundle.expiresAt.toISOString() },
      },
    };
  },
});

async function respondWithImport(
  context: RouteContext,
  source: ShareSource,
  input: ShareImportInput,
): Promise<ReplyFor<typeof importReplies>> {
  const { platform, credential, idempotency } = context;
  const session = await importSession(platform, credential, credential, source, input, idempotency);
  const detail = await getSessionDetail(platform, credential, session._id).catch(() =>
    buildSessionDetail(platform, session, [], []),
  );
  return { status: 201, body: { session: presentSession(detail) } };
}

const importReplies = {
  201: {
    description: 'The session: in review, or approved where an approval was trusted.',
    schema: z.object({ session: sessionSchema }),
    example: { session: exampleSession },
  },
};

const importErrors = {
  403: '`wrong_audience`, `issuer_not_trusted`, or the permission is missing.',
  409: '`share_used`: a share is taken up once; `session_not_finished`: it was reopened since; or an Idempotency-Key in use.',
  410: '`share_expired`, `share_revoked` or `share_gone`; `evidence_missing`, `evidence_altered`: an image was lost or changed.',
};

const trustNote =
  'A session in review unless `trustReview` takes over an approval; that needs `sessions:trust-import` and an issuer whose decisions the operator accepts.';

const workflowId = z
  .string()
  .min(1)
  .max(64)
  .optional()
  .meta({ description: 'The template whose settings the session goes by here; the default one without.' });

const importToken = defineRoute({
  method: 'post',
  path: '/v1/sessions/import',
  operationId: 'importSession',
  summary: 'Import a session by its share token',
  description: trustNote,
  tag: 'Sessions',
  permission: 'sessions:import',
  idempotent: true,
  body: z.strictObject({
    shareToken: z.string().min(1).max(4000),
    trustReview: z.boolean().default(false),
    workflowId,
  }),
  bodyExample: { shareToken: 'eyJhbGciOiJFUzI1NiIsImtpZCI6IjN2In0.eyJpc3MiOiJodHRwczovL3ZvdWNoIn0.c2lnbmF0dXJl' },
  replies: importReplies,
  errors: importErrors,
  handle: (context, { body: { shareToken, trustReview, workflowId: templateId } }) =>
    respondWithImport(context, { shareToken }, { trustReview, templateId }),
});

const importBundle = defineRoute({
  method: 'post',
  path: '/v1/sessions/import/bundle',
  operationId: 'importSessionBundle',
  summary: 'Import a session from the bundle of another installation',
  description: `${trustNote} Issuers and their keys are a list of the operator; nothing a bundle names is fetched.`,
  tag: 'Sessions',
  addition: true,
  permission: 'sessions:import',
  idempotent: true,
  body: z.strictObject({
    trustReview: z.enum(['true', 'false'], { error: 'accepts true or false' }).default('false'),
    workflowId,
  }),
  files: { bundle: { required: true, description: 'The file a share with `bundle` linked to, at most 15 MB.' } },
  replies: importReplies,
  errors: importErrors,
  handle: (context, { body, files }) =>
    respondWithImport(
      context,
      { bundle: files['bundle']?.body ?? Buffer.alloc(0) },
      { trustReview: body.trustReview === 'true', templateId: body.workflowId },
    ),
});

export const sharingRoutes: readonly Route[] = [share, importToken, importBundle];
