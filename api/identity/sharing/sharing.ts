import { z } from 'zod';
import { SHARE_INCLUDES, SHARE_TTL_SECONDS } from '../../../domain/identity/sharing/sharing';
import { buildIdPattern } from '../../../lib/ids';
import { getReviewedSession } from '../../../services/identity/sessions/reviewed-session';
import { buildSessionDetail } from '../../../services/identity/sessions/session-details';
import { importSession } from '../../../services/identity/sharing/import';
import type { ShareImportInput, ShareSource } from '../../../services/identity/sharing/import';
import { shareSession } from '../../../services/identity/sharing/share';
import { idParam } from '../../http/paging';
import { defineRoute } from '../../http/route';
import type { ReplyFor, Route, RouteContext } from '../../http/route';
import { exampleSession, presentSession, sessionSchema } from '../sessions/session-responses';
import { VISIBLE_TEXT } from '../../http/text';

const { min, max, default: defaultTtlSeconds } = SHARE_TTL_SECONDS;

const issuedShareSchema = z.object({
  shareToken: z.string().meta({ description: 'Share token: an ES256 JWT with only the claims iss, aud, jti and exp.' }),
  shareId: z.string(),
  audience: z.string(),
  include: z.array(z.enum(SHARE_INCLUDES)),
  expiresAt: z.iso.datetime(),
  bundle: z
    .object({ url: z.url(), expiresAt: z.iso.datetime() })
    .nullable()
    .meta({ description: 'Link to the bundle for another installation; null if none was requested.' }),
});

/** An organisation, or an installation by its PUBLIC_URL, which has no query and no credentials. */
const AUDIENCE = new RegExp(`${buildIdPattern('org')}|^https?://[^\\s/?#@\\\\]+(?:/[^\\s?#\\\\]*)?$`);

const CONSENT_TEXT_REQUIRED = 'is required: what the person agreed to';

const share = defineRoute({
  method: 'post',
  path: '/v1/sessions/:id/share',
  operationId: 'shareSession',
  summary: 'Share a finished session with another organisation',
  description:
    'The audience can import the token once, until it expires. Both sides keep the consent text. With `bundle`, the response links to a signed file that another installation verifies offline.',
  tag: 'Sessions',
  permission: 'sessions:share',
  idempotent: true,
  params: z.object({ id: idParam('ses') }),
  body: z.strictObject({
    audience: z
      .string()
      .max(200)
      .regex(AUDIENCE, 'accepts the id of an organisation (org_…) or the public address of an installation (https://…)')
      .optional()
      .meta({
        description:
          'Organisation (`org_…`) of this installation, or issuer (public address) of another installation, that may import the share. Default: any organisation of this installation.',
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
      .meta({ description: 'Content that is included in addition to the results.' }),
    consentText: z
      .string({ error: ({ input }) => (input === undefined ? CONSENT_TEXT_REQUIRED : undefined) })
      .trim()
      .min(1, CONSENT_TEXT_REQUIRED)
      .max(4000)
      .meta({ pattern: VISIBLE_TEXT, description: 'Consent text as shown to the person.' }),
    bundle: z.boolean().default(false).meta({ description: 'Whether to create a file for another installation too.' }),
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
    409: '`session_not_finished`: only approved and declined sessions and expired approvals can be shared; `session_changed`: the session changed while it was shared, try again; or the Idempotency-Key is in use.',
    410: '`evidence_missing`, `evidence_altered`: a file of the bundle was lost or changed in the object store.',
    413: '`bundle_too_large`: a bundle may have at most 15 MB.',
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
  const detail = await getReviewedSession(platform, credential, session._id).catch(() =>
    buildSessionDetail(platform, session, [], []),
  );
  return { status: 201, body: { session: presentSession(detail) } };
}

const importReplies = {
  201: {
    description: 'The session: in review, or approved if an approval was trusted.',
    schema: z.object({ session: sessionSchema }),
    example: { session: exampleSession },
  },
};

const importErrors = {
  403: '`wrong_audience`, `issuer_not_trusted`, or the permission is missing.',
  409: '`share_used`: the share was already imported; `session_not_finished`: the session was reopened; `share_outdated`: the session of the bundle was reopened or decided again; `session_changed`: the session was decided again during the import, try again; or the Idempotency-Key is in use.',
  410: '`share_expired`, `share_revoked` or `share_gone`; `evidence_missing`, `evidence_altered`: an image was lost or changed.',
};

const trustNote =
  'The imported session is in review, unless `trustReview` accepts its approval; that requires the permission `sessions:trust-import` and an issuer whose decisions are accepted: an organisation of this installation that yours has named (`PUT /v1/sharing/trusted-organisations`), or an installation that the operator has.';

const workflowId = z
  .string()
  .min(1)
  .max(64)
  .optional()
  .meta({ description: 'Session workflow whose settings apply to the session. Default: the organisation’s default.' });

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
  description: `${trustNote} The operator configures issuers and their keys; nothing that a bundle refers to is fetched.`,
  tag: 'Sessions',
  addition: true,
  permission: 'sessions:import',
  idempotent: true,
  body: z.strictObject({
    trustReview: z.enum(['true', 'false'], { error: 'accepts true or false' }).default('false'),
    workflowId,
  }),
  files: { bundle: { required: true, description: 'The file of a share with `bundle`, at most 15 MB.' } },
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
