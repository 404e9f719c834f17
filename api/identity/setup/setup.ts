import { z } from 'zod';
import { IDENTITY_SETUP_STEPS, readIdentitySetup } from '../../../services/identity/setup/progress';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';

const getSetup = defineRoute({
  method: 'get',
  path: '/v1/setup',
  operationId: 'getIdentitySetup',
  summary: 'First-run checklist of identity verification',
  description:
    'The steps from an empty organisation to a verified person, in the mode of the credential. A step is done as long as a record proves it; steps whose records the credential cannot read are left out.',
  tag: 'Statistics',
  addition: true,
  permission: 'any',
  query: z.strictObject({}),
  replies: {
    200: {
      description: 'The steps in their order.',
      schema: z.object({ steps: z.array(z.object({ step: z.enum(IDENTITY_SETUP_STEPS), done: z.boolean() })) }),
      example: {
        steps: [
          { step: 'session_workflow_created', done: true },
          { step: 'session_created', done: true },
          { step: 'person_approved', done: false },
          { step: 'key_created', done: true },
          { step: 'webhook_registered', done: false },
        ],
      },
    },
  },
  async handle({ credential }) {
    return { status: 200, body: { steps: await readIdentitySetup(credential) } };
  },
});

export const identitySetupRoutes: readonly Route[] = [getSetup];
