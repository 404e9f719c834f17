import { loadConfig } from '../../lib/config';
import { closePlatform, createPlatform } from '../../services/platform/bootstrap';
import { startOwnStack } from './stack';
import type { OwnStack, RunningStack } from './stack';
import { createTenantOn } from './tenant';

/** Limits that no test of the shared stack reaches. */
const ENVIRONMENT = { RATE_LIMIT_BUSINESS_PER_MINUTE: '1000000', RATE_LIMIT_IDENTITY_PER_MINUTE: '1000000' };

let started: Promise<OwnStack> | undefined;

/** A stack that several test files use; none of them may stop it. */
export type SharedStack = Omit<OwnStack, 'stop' | 'restart'>;

type Credentials = Pick<RunningStack, 'organisationId' | 'identityApiKey' | 'admin'>;

async function createCredentials(stack: OwnStack): Promise<Credentials> {
  const config = { ...loadConfig({ ...process.env, ...stack.run().environment }), LOG_LEVEL: 'error' } as const;
  const platform = await createPlatform(config, { name: 'test', watch: false });
  try {
    const { organisationId, identityKey, admin } = await createTenantOn(platform, 'Chaos');
    return { organisationId, identityApiKey: identityKey, admin };
  } finally {
    await closePlatform(platform);
  }
}

/**
 * A stack whose processes the caller may kill, with an organisation of its own. All test files of this process share the
 * stack, one after another: a start takes about 15 processor seconds. It ends with this process.
 */
export async function shareOwnStack(): Promise<SharedStack> {
  started ??= startOwnStack({ keepData: true, env: ENVIRONMENT, endsWithProcess: true });
  const stack = await started;
  await stack.waitUntilReady();
  const credentials = await createCredentials(stack);
  return { ...stack, run: () => ({ ...stack.run(), ...credentials }) };
}
