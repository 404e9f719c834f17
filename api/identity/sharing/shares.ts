import { z } from 'zod';
import { SHARE_INCLUDES } from '../../../domain/identity/sharing/sharing';
import type { ShareRecord } from '../../../models/identity/sharing/share';
import { readActors } from '../../../services/platform/access/actors';
import { listShares, revokeShare, getShareStatus } from '../../../services/identity/sharing/revocation';
import { buildDeletionBody, deletionFields } from '../../http/deletion';
import { buildCursorQuery, cursorPageFields, idParam } from '../../http/paging';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { actorName, findActorName } from '../../platform/access/actor-names';
import type { ActorNames } from '../../platform/access/actor-names';

const shareSchema = z
  .object({
    id: z.string(),
    status: z.enum(['open', 'used', 'revoked', 'expired']),
    audience: z.string(),
    include: z.array(z.enum(SHARE_INCLUDES)),
    consentText: z.string().meta({ description: 'Consent text that the person agreed to.' }),
    bundle: z.boolean().meta({ description: 'Whether the share has a bundle for another installation.' }),
    createdBy: z.string().meta({ description: 'Id of the user or API key.' }),
    createdByName: actorName,
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime(),
    usedAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'Time at which it was imported within this installation.' }),
    revokedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Share' });

const exampleShare: z.infer<typeof shareSchema> = {
  id: 'shr_01JQZ5B1S3T5V7X9Z1B3D5F7H9',
  status: 'open',
  audience: 'org_01JQZ4A7C9E1G3J5M7P9R1T3V5',
  include: ['images'],
  consentText: 'I agree that Lender Ltd receives my verification from Bank AG.',
  bundle: false,
  createdBy: 'key_01JQZ4R8W3M6N9P2T5V8X1Y4Z7',
  createdByName: 'Checkout of the shop',
  createdAt: '2026-11-21T10:00:00.000Z',
  expiresAt: '2026-11-21T11:00:00.000Z',
  usedAt: null,
  revokedAt: null,
};

const presentShare = (share: ShareRecord, names: ActorNames, now: Date): z.infer<typeof shareSchema> => ({
  id: share._id,
  status: getShareStatus(share, now),
  audience: share.audience,
  include: share.include,
  consentText: share.consentText,
  bundle: share.bundleEvidenceId !== null,
  createdBy: share.createdBy,
  createdByName: findActorName(names, share.createdBy),
  createdAt: share.createdAt.toISOString(),
  expiresAt: share.expiresAt.toISOString(),
  usedAt: share.consumedAt?.toISOString() ?? null,
  revokedAt: share.revokedAt?.toISOString() ?? null,
});

const list = defineRoute({
  method: 'get',
  path: '/v1/sessions/:id/shares',
  operationId: 'listShares',
  summary: 'List the shares of a session',
  description: 'Returns the shares, newest first, with their status and consent. Tokens are not returned again.',
  tag: 'Sessions',
  addition: true,
  permission: 'sessions:share',
  params: z.object({ id: idParam('ses') }),
  query: buildCursorQuery('shr'),
  replies: {
    200: {
      description: 'A page of shares.',
      schema: z.object({ shares: z.array(shareSchema), ...cursorPageFields }),
      example: { shares: [exampleShare], total: 1, nextCursor: null },
    },
  },
  async handle({ platform, credential }, { params, query }) {
    const { records, ...page } = await listShares(credential, params.id, query);
    const { names } = await readActors(
      credential.organisationId,
      records.map(({ createdBy }) => createdBy),
    );
    const now = platform.clock.now();
    return { status: 200, body: { shares: records.map((share) => presentShare(share, names, now)), ...page } };
  },
});

const revoke = defineRoute({
  method: 'delete',
  path: '/v1/sessions/:id/shares/:shareId',
  operationId: 'revokeShare',
  summary: 'Revoke a share',
  description:
    'A revoked share can no longer be imported (410 `share_revoked`); revoking it again changes nothing. The link to its bundle ends. A bundle that another installation already has is verified there, independently of this installation.',
  tag: 'Sessions',
  addition: true,
  permission: 'sessions:share',
  params: z.object({ id: idParam('ses'), shareId: idParam('shr') }),
  replies: {
    200: {
      description: 'The share.',
      schema: z.object({ ...deletionFields, share: shareSchema }),
      example: {
        ...buildDeletionBody(exampleShare.id),
        share: { ...exampleShare, status: 'revoked', revokedAt: '2026-11-21T10:05:00.000Z' },
      },
    },
  },
  errors: { 409: '`share_used`: the share was already imported.' },
  async handle({ platform, credential }, { params }) {
    const share = await revokeShare(platform, credential, credential.id, params.id, params.shareId);
    const { names } = await readActors(credential.organisationId, [share.createdBy]);
    const presented = presentShare(share, names, platform.clock.now());
    return { status: 200, body: { ...buildDeletionBody(params.shareId), share: presented } };
  },
});

export const shareRoutes: readonly Route[] = [list, revoke];
