import { SessionTemplate } from '../../../models/identity/sessions/session-template';
import { Session } from '../../../models/identity/sessions/session';
import { ApiKey } from '../../../models/platform/access/api-key';
import { WebhookEndpoint } from '../../../models/platform/webhooks/webhook-endpoint';
import type { Actor, Scope } from '../../platform/platform';
import { listSetupSteps } from '../../platform/setup/steps';
import type { SetupProof, SetupStep } from '../../platform/setup/steps';

/** The way from an empty organisation to a verified person. */
export const IDENTITY_SETUP_STEPS = [
  'session_workflow_created',
  'session_created',
  'person_approved',
  'key_created',
  'webhook_registered',
] as const;

export type IdentitySetupStep = (typeof IDENTITY_SETUP_STEPS)[number];

function buildProofs({ organisationId, mode }: Scope): Record<IdentitySetupStep, SetupProof> {
  const own = { organisationId, mode };
  const kept = { ...own, deletedAt: null };
  return {
    session_workflow_created: {
      permission: 'workflows:read',
      isDone: async () => (await SessionTemplate.exists(kept)) !== null,
    },
    session_created: {
      permission: 'sessions:read',
      isDone: async () => (await Session.exists(kept)) !== null,
    },
    person_approved: {
      permission: 'sessions:read',
      isDone: async () =>
        (await Session.exists({ ...kept, status: { $in: ['approved', 'approval_expired'] } })) !== null,
    },
    key_created: {
      permission: 'keys:read',
      isDone: async () => (await ApiKey.exists({ ...own, api: 'identity', revokedAt: null })) !== null,
    },
    webhook_registered: {
      permission: 'webhooks:read',
      isDone: async () => (await WebhookEndpoint.exists(kept)) !== null,
    },
  };
}

/** The steps that the caller may read. Each needs one lookup in an index. */
export const readIdentitySetup = (
  caller: Scope & Pick<Actor, 'permissions'>,
): Promise<SetupStep<IdentitySetupStep>[]> => listSetupSteps(buildProofs(caller), caller.permissions);
