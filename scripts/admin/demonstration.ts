import type { Command } from 'commander';
import { IDENTITY_PERMISSIONS } from '../../domain/identity/access/permissions';
import { ensureBusinessDefaults } from '../../services/business/settings/default-records';
import { issueApiKey } from '../../services/platform/access/api-keys';
import {
  createOrganisation,
  findOrganisationBySlug,
  setEgressExceptions,
} from '../../services/platform/access/organisations';
import { generatePassword } from '../../services/platform/access/password-change';
import { createUser, findUsersByEmail } from '../../services/platform/access/users';
import type { Platform } from '../../services/platform/platform';
import { printJson, withPlatform } from './platform';

const DEMO = {
  name: 'Demonstration Ltd',
  slug: 'demo',
  email: 'admin@demo.example',
  company: {
    address: { line1: '1 Quay Street', city: 'Dublin', postalCode: 'D02 X285', country: 'IE' },
    taxPercent: '23',
    taxId: 'IE1234567T',
    email: 'accounts@demo.example',
    // The example IBAN of the Irish registry entry.
    iban: 'IE29AIBK93115212345678',
    // Requests with the required fields alone are to work here, such as an invoice to a customer without an address.
    completenessChecks: 'off',
  },
} as const;

/** Adds `ensure-demo`, which creates what is missing of the demonstration, and a new API key each time. */
export function addDemonstrationCommand(program: Command): void {
  program
    .command('ensure-demo')
    .description('create the demonstration organisation with a key and an administrator (npm start runs this)')
    .option('--receiver <address>', 'HOST:PORT of the webhook receiver of the demonstration')
    .action(async ({ receiver }: { receiver?: string }) =>
      printJson(await withPlatform((platform) => ensureDemonstration(platform, receiver))),
    );
}

/**
 * Creates the demonstration organisation if it does not exist. The result contains the key and, if the administrator is
 * new, the password; neither can be read again.
 */
async function ensureDemonstration(platform: Platform, receiver: string | undefined): Promise<object> {
  const organisation =
    (await findOrganisationBySlug(DEMO.slug)) ??
    (await createOrganisation(platform, { name: DEMO.name, slug: DEMO.slug }));
  await ensureBusinessDefaults(platform, organisation._id, { legalName: organisation.name, ...DEMO.company });
  if (receiver !== undefined) await setEgressExceptions(platform, organisation._id, [receiver]);
  const password = await createAdministrator(platform, organisation._id);
  const scope = { organisationId: organisation._id, mode: 'live' } as const;
  const { secret } = await issueApiKey(platform, scope, 'identity', {
    name: 'Demonstration',
    permissions: [...IDENTITY_PERMISSIONS],
  });
  return { organisationId: organisation._id, identityApiKey: secret, admin: { email: DEMO.email, password } };
}

/** @returns the generated password, or null if the administrator exists */
async function createAdministrator(platform: Platform, organisationId: string): Promise<string | null> {
  const users = await findUsersByEmail(DEMO.email);
  if (users.some((user) => user.organisationId === organisationId)) return null;
  const password = generatePassword();
  const administrator = {
    organisationId,
    email: DEMO.email,
    name: 'Demo Administrator',
    roles: { business: 'admin', identity: 'admin' },
    password,
  } as const;
  await createUser(platform, administrator, { generatedPassword: true });
  return password;
}
