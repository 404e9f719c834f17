import { z } from 'zod';
import {
  listTrustedOrganisations,
  MAX_TRUSTED_ORGANISATIONS,
  setTrustedOrganisations,
} from '../../../services/identity/sharing/trusted-organisations';
import { idParam } from '../../http/paging';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';

const PATH = '/v1/sharing/trusted-organisations';
const common = { path: PATH, tag: 'Sessions', addition: true } as const;
const replies = {
  200: {
    description: 'The trusted organisations.',
    schema: z.object({ organisations: z.array(z.object({ id: z.string(), name: z.string() })) }),
    example: { organisations: [{ id: 'org_01JQZ4A7C9E1G3J5M7P9R1T3V5', name: 'Bank AG' }] },
  },
};

const list = defineRoute({
  ...common,
  method: 'get',
  operationId: 'listTrustedOrganisations',
  summary: 'List the organisations whose decisions are trusted',
  description:
    'Organisations of this installation whose approvals an import with `trustReview` adopts, separately in live and test mode. The operator decides about other installations.',
  permission: 'sharing:read',
  replies,
  async handle({ credential }) {
    return { status: 200, body: { organisations: await listTrustedOrganisations(credential) } };
  },
});

const replace = defineRoute({
  ...common,
  method: 'put',
  operationId: 'setTrustedOrganisations',
  summary: 'Replace the organisations whose decisions are trusted',
  description: 'Applies to the mode of the credential.',
  permission: 'sharing:trust',
  body: z.strictObject({
    organisationIds: z
      .array(idParam('org'), { error: 'must be a list' })
      .max(MAX_TRUSTED_ORGANISATIONS, `accepts at most ${MAX_TRUSTED_ORGANISATIONS} organisations`),
  }),
  bodyExample: { organisationIds: [] },
  replies,
  async handle({ platform, credential }, { body }) {
    const organisations = await setTrustedOrganisations(platform, credential, credential.id, body.organisationIds);
    return { status: 200, body: { organisations } };
  },
});

export const trustedOrganisationRoutes: readonly Route[] = [list, replace];
