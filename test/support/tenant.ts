import { randomBytes } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import type { Role } from '../../domain/business/access/permissions';
import { PERMISSIONS } from '../../domain/business/access/permissions';
import type { IdentityPermission } from '../../domain/identity/access/permissions';
import type { IdentityRole } from '../../domain/identity/access/roles';
import { IDENTITY_PERMISSIONS } from '../../domain/identity/access/permissions';
import { loadConfig } from '../../lib/config';
import { Outbox } from '../../models/platform/transactions/outbox';
import { issueApiKey } from '../../services/platform/access/api-keys';
import { closePlatform, createPlatform } from '../../services/platform/bootstrap';
import { createOrganisation } from '../../services/platform/access/organisations';
import type { Platform } from '../../services/platform/platform';
import type { UserRoles } from '../../services/platform/access/user-roles';
import { createUser } from '../../services/platform/access/users';
import { ensureBusinessDefaults } from '../../services/business/settings/default-records';
import { EVENT_LIMIT_MS } from './limits';

interface Account {
  email: string;
  password: string;
}

/** A separate organisation with credentials for the identity API. */
export interface IdentityTenant {
  organisationId: string;
  /** An identity API key in live mode with every permission. */
  identityKey: string;
  createIdentityKey(
    permissions: IdentityPermission[],
    options?: { mode?: 'live' | 'test'; allowedIps?: string[] },
  ): Promise<string>;
  /** A user of the identity API alone. */
  createIdentityUser(role: IdentityRole): Promise<Account>;
}

/** A separate organisation with credentials for both APIs. */
export interface Tenant extends IdentityTenant {
  admin: Account;
  createBusinessKey(permissions: readonly string[]): Promise<string>;
  createUserWithRoles(roles: UserRoles): Promise<Account>;
  /** A user of the business API alone. */
  createUserWithRole(role: Role): Promise<Account>;
}

let platform: Promise<Platform> | undefined;

/** A platform in the test process, connected to the engines of the running stack, for set-up and inspection. */
export function getTestPlatform(): Promise<Platform> {
  platform ??= createPlatform(
    { ...loadConfig(), LOG_LEVEL: 'error', OTEL_EXPORTER_OTLP_ENDPOINT: undefined },
    { name: 'test', watch: false },
  );
  return platform;
}

/** A workflow whose start was committed: requests are answered before Temporal has accepted it. */
export async function getStartedWorkflow(workflowId: string): Promise<WorkflowHandle> {
  const { changes, temporal } = await getTestPlatform();
  const start = { workflowId, kind: 'start', doneAt: null } as const;
  await changes.waitFor('outbox', workflowId, EVENT_LIMIT_MS, async () =>
    (await Outbox.exists(start)) === null ? true : null,
  );
  return temporal.workflow.getHandle(workflowId);
}

/** Call in afterAll of every file that used {@link getTestPlatform} or {@link createTenant}. */
export async function closeTestPlatform(): Promise<void> {
  if (platform !== undefined) await closePlatform(await platform);
  platform = undefined;
}

const randomSuffix = (): string => randomBytes(6).toString('hex');

async function addUser(target: Platform, organisationId: string, roles: UserRoles): Promise<Account> {
  const name = roles.business ?? roles.identity ?? '';
  const user = { email: `${name}.${randomSuffix()}@tenant.example`, password: randomBytes(12).toString('base64url') };
  const account = { organisationId, name: `Test ${name}`, roles, ...user };
  await createUser(target, account, { generatedPassword: true });
  return user;
}

/** Creates a new organisation, so that tests do not share records. */
export const createTenant = async (name = 'Tenant'): Promise<Tenant> => createTenantOn(await getTestPlatform(), name);

/**
 * Creates a new organisation for tests of the identity API, without the administrator and the business records of
 * {@link createTenant}, which take two thirds of its processor time.
 */
export const createIdentityTenant = async (name = 'Tenant'): Promise<IdentityTenant> =>
  createIdentityTenantOn(await getTestPlatform(), name);

async function createIdentityTenantOn(target: Platform, name: string): Promise<IdentityTenant> {
  const { _id: organisationId } = await createOrganisation(target, { name, slug: `t-${randomSuffix()}` });
  const createIdentityKey: IdentityTenant['createIdentityKey'] = async (permissions, options = {}) => {
    const scope = { organisationId, mode: options.mode ?? 'live' } as const;
    const input = { name: 'Test', permissions: [...permissions], allowedIps: options.allowedIps ?? [] };
    return (await issueApiKey(target, scope, 'identity', input)).secret;
  };
  return {
    organisationId,
    identityKey: await createIdentityKey([...IDENTITY_PERMISSIONS]),
    createIdentityKey,
    createIdentityUser: (identity) => addUser(target, organisationId, { business: null, identity }),
  };
}

/** Creates a new organisation on a stack other than the shared one. The platform may be closed afterwards. */
export async function createTenantOn(target: Platform, name: string): Promise<Tenant> {
  const tenant = await createIdentityTenantOn(target, name);
  const { organisationId } = tenant;
  await ensureBusinessDefaults(target, organisationId, {
    legalName: name,
    completenessChecks: 'off',
    taxPercent: '20',
  });
  const createBusinessKey: Tenant['createBusinessKey'] = async (permissions) =>
    (
      await issueApiKey(target, { organisationId, mode: 'live' }, 'business', {
        name: 'Test',
        permissions: [...permissions],
      })
    ).secret;
  return {
    ...tenant,
    admin: await addUser(target, organisationId, { business: 'admin', identity: 'admin' }),
    createBusinessKey,
    createUserWithRoles: (roles) => addUser(target, organisationId, roles),
    createUserWithRole: (business) => addUser(target, organisationId, { business, identity: null }),
  };
}

export const ALL_BUSINESS_PERMISSIONS: readonly string[] = PERMISSIONS;
