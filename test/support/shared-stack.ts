import { IDENTITY_PERMISSIONS } from '../../domain/identity/access/permissions';
import { loadConfig } from '../../lib/config';
import { closePlatform, createPlatform } from '../../services/platform/bootstrap';
import { startChaosStack } from './chaos/chaos-stack';
import type { ChaosStack } from './chaos/chaos-stack';
import type { RunningStack } from './stack';
import { createTenantOn } from './tenant';

/** A limit that no test of the shared stack reaches. */
const LIMIT = '1000000';

/** The service without rate limits. */
export const UNLIMITED = {
  RATE_LIMIT_BUSINESS_PER_MINUTE: LIMIT,
  RATE_LIMIT_IDENTITY_PER_MINUTE: LIMIT,
  RATE_LIMIT_SESSION_CREATION_PER_MINUTE: LIMIT,
  RATE_LIMIT_EXPORTS_PER_MINUTE: LIMIT,
  RATE_LIMIT_AUTH_PER_MINUTE: LIMIT,
};

const ENVIRONMENT = {
  ...UNLIMITED,
  NODE_OPTIONS: `--require ${require.resolve('./vision-crash.cjs')}`,
};

let started: Promise<ChaosStack> | undefined;

/** A stack that several test files use; none of them may stop it. */
export type SharedStack = Omit<ChaosStack, 'stop'>;

/** A shared stack whose credentials are of an organisation of its own. */
interface TenantStack extends SharedStack {
  /** Like `identityApiKey`, in test mode. */
  readonly identityTestKey: string;
}

type Credentials = Pick<RunningStack, 'organisationId' | 'identityApiKey' | 'admin'>;

async function createCredentials(stack: ChaosStack): Promise<Credentials & Pick<TenantStack, 'identityTestKey'>> {
  const config = { ...loadConfig({ ...process.env, ...stack.run().environment }), LOG_LEVEL: 'error' } as const;
  const platform = await createPlatform(config, { name: 'test', watch: false });
  try {
    const tenant = await createTenantOn(platform, 'Chaos');
    const { organisationId, identityKey: identityApiKey, admin } = tenant;
    const identityTestKey = await tenant.createIdentityKey([...IDENTITY_PERMISSIONS], { mode: 'test' });
    return { organisationId, identityApiKey, identityTestKey, admin };
  } finally {
    await closePlatform(platform);
  }
}

/**
 * A stack whose processes the caller may kill, with an organisation of its own. All test files of this process share the
 * stack, one after another: a start takes about 15 processor seconds. It ends with this process.
 */
export async function shareOwnStack(): Promise<TenantStack> {
  started ??= startChaosStack(ENVIRONMENT);
  const stack = await started;
  // A test file that failed may have left a network disturbed.
  for (const proxy of Object.values(stack.proxies)) proxy.disturb('forward');
  await stack.waitUntilReady();
  const { identityTestKey, ...credentials } = await createCredentials(stack);
  return { ...stack, identityTestKey, run: () => ({ ...stack.run(), ...credentials }) };
}
