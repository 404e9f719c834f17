import { z } from 'zod';
import { linkToEvidence } from '../../../services/identity/checks/evidence-links';
import { LINK_TTL_SECONDS } from '../../../services/platform/evidence/signed-links';
import type { FileLink } from '../../../services/platform/evidence/file-links';
import { linkToReport } from '../../../services/identity/reports/session-reports';
import type { IdPrefix } from '../../../lib/ids';
import { idParam } from '../../http/paging';
import { defineRoute } from '../../http/route';
import type { JsonReply, Route } from '../../http/route';

const linkSchema = z.object({
  url: z.url().meta({
    description:
      'URL of the file, which needs no credential until it expires. The file is sent as an attachment; every download is audited.',
  }),
  expiresAt: z.iso.datetime(),
});

const linkReplies = {
  200: {
    description: `A link that is valid for ${LINK_TTL_SECONDS / 60} minutes.`,
    schema: linkSchema,
    example: {
      url: 'https://vouch.example.com/files/eyJhbGciOiJIUzI1NiJ9.eyJvcmciOiJvcmdfMDFKUSJ9.c2lnbmF0dXJl',
      expiresAt: '2026-11-21T10:05:00.000Z',
    },
  },
};

const buildLinkReply = ({ url, expiresAt }: FileLink): JsonReply<200, z.infer<typeof linkSchema>> => ({
  status: 200,
  body: { url, expiresAt: expiresAt.toISOString() },
});

const NOT_READY = '`rendering_not_ready` or `rendering_failed`: try again after Retry-After seconds.';

/** A route to the evidence of one kind of record. */
const defineEvidenceRoute = (
  prefix: IdPrefix,
  path: string,
  operationId: string,
  tag: string,
  addition: boolean,
): Route =>
  defineRoute({
    method: 'get',
    path,
    operationId,
    summary: 'Get a link to an evidence file',
    description:
      'The file is decrypted when the link is followed. With `preview` it is a JPEG of at most 1280 pixels per side, re-encoded from the pixels and therefore safe to display.',
    tag,
    addition,
    permission: 'evidence:read',
    params: z.object({ id: idParam(prefix), evidenceId: idParam('evd') }),
    query: z.strictObject({
      preview: z
        .enum(['true', 'false'], { error: 'accepts true or false' })
        .default('false')
        .meta({ description: 'Whether to link to a preview instead of the file as it was sent.' }),
    }),
    replies: linkReplies,
    errors: {
      409: '`preview_not_available`: the file is not an image.',
      410: '`evidence_missing`, `evidence_altered`: the file that the preview is made of was lost or changed in the object store.',
      503: NOT_READY,
    },
    async handle({ platform, credential }, { params, query }) {
      const requested = { recordId: params.id, evidenceId: params.evidenceId, preview: query.preview === 'true' };
      return buildLinkReply(await linkToEvidence(platform, credential, credential.id, requested));
    },
  });

const report = defineRoute({
  method: 'get',
  path: '/v1/sessions/:id/report',
  operationId: 'getSessionReport',
  summary: 'Get a link to the report of a session',
  description:
    'A PDF with the present decision, steps, results, risks and reviews of the session and the hashes of its evidence. It is rendered once for each state of the session and stored encrypted with its evidence.',
  tag: 'Sessions',
  permission: 'sessions:read',
  params: z.object({ id: idParam('ses') }),
  replies: linkReplies,
  errors: { 409: '`session_changed`: the session changed while the report was rendered; try again.', 503: NOT_READY },
  async handle({ platform, credential }, { params }) {
    return buildLinkReply(await linkToReport(platform, credential, credential.id, params.id));
  },
});

export const evidenceRoutes: readonly Route[] = [
  defineEvidenceRoute('ses', '/v1/sessions/:id/evidence/:evidenceId', 'getSessionEvidence', 'Sessions', false),
  defineEvidenceRoute('chk', '/v1/checks/:id/evidence/:evidenceId', 'getCheckEvidence', 'Checks', true),
  report,
];
