import { Option } from 'commander';
import type { Command } from 'commander';
import { ROLES } from '../../domain/business/access/permissions';
import type { Role } from '../../domain/business/access/permissions';
import { IDENTITY_ROLES } from '../../domain/identity/access/roles';
import type { IdentityRole } from '../../domain/identity/access/roles';
import { notFoundError } from '../../domain/errors';
import type { UserRecord } from '../../models/platform/access/user';
import {
  generatePassword,
  setTemporaryPassword,
  TEMPORARY_PASSWORD_HOURS,
  unlockUser,
} from '../../services/platform/access/password-change';
import { removeSecondFactor } from '../../services/platform/access/second-factor';
import { createUser, findUserByEmail } from '../../services/platform/access/users';
import { findOrganisationId, printJson, withPlatform } from './platform';

interface UserInput {
  organisation: string;
  email: string;
  name: string;
  role?: Role;
  identityRole?: IdentityRole;
  password?: string;
}

export function addUserCommands(program: Command): void {
  program
    .command('create-user')
    .description('create a user; a generated password is printed only once')
    .requiredOption('--organisation <slug>', 'slug of the organisation')
    .requiredOption('--email <email>', 'email address, with which the user signs in')
    .requiredOption('--name <name>', 'display name')
    .addOption(new Option('--role <role>', 'role in the business API (default: no access)').choices(ROLES))
    .addOption(
      new Option('--identity-role <role>', 'role in the identity API (default: no access)').choices(IDENTITY_ROLES),
    )
    .option('--password <password>', 'password (default: a generated one)')
    .action(createUserCommand);
  program
    .command('unlock-user')
    .description('forget the failed sign-in attempts of a user, so that no attempt is delayed')
    .requiredOption('--email <email>', 'email address of the user')
    .action(unlockUserCommand);
  program
    .command('reset-password')
    .description(
      `give a user a temporary password, which is printed only once, can be used for ${TEMPORARY_PASSWORD_HOURS} hours and must be changed after signing in; ends the sessions of the user and the API keys that the user created`,
    )
    .requiredOption('--email <email>', 'email address of the user')
    .option('--keep-keys', 'leave the API keys valid that the user created')
    .action(resetPasswordCommand);
  program
    .command('remove-second-factor')
    .description('remove the second factor of a user who has lost it together with the recovery codes')
    .requiredOption('--email <email>', 'email address of the user')
    .action(removeSecondFactorCommand);
}

/** @throws AppError 404 */
async function requireUser(email: string): Promise<UserRecord> {
  const user = await findUserByEmail(email);
  if (user === null) throw notFoundError('user');
  return user;
}

async function unlockUserCommand({ email }: { email: string }): Promise<void> {
  const { user, hadFailures } = await withPlatform(async (platform) => {
    const found = await requireUser(email);
    return { user: found, hadFailures: await unlockUser(platform, found) };
  });
  printJson({ userId: user._id, hadFailures });
}

async function removeSecondFactorCommand({ email }: { email: string }): Promise<void> {
  const user = await withPlatform(async (platform) => {
    const found = await requireUser(email);
    await removeSecondFactor(platform, found, 'system');
    return found;
  });
  printJson({ userId: user._id });
}

async function resetPasswordCommand({ email, keepKeys = false }: { email: string; keepKeys?: boolean }): Promise<void> {
  const result = await withPlatform(async (platform) => {
    const user = await requireUser(email);
    const { password, expiresAt } = await setTemporaryPassword(platform, user._id, { keepKeys });
    return { userId: user._id, password, expiresAt: expiresAt.toISOString() };
  });
  printJson(result);
}

async function createUserCommand(input: UserInput): Promise<void> {
  const password = input.password ?? generatePassword();
  const user = await withPlatform(async (platform) =>
    createUser(
      platform,
      {
        organisationId: await findOrganisationId(input.organisation),
        email: input.email,
        name: input.name,
        roles: { business: input.role ?? null, identity: input.identityRole ?? null },
        password,
      },
      { generatedPassword: input.password === undefined },
    ),
  );
  printJson({
    userId: user._id,
    email: user.email,
    role: user.role,
    identityRole: user.identityRole,
    ...(input.password === undefined ? { password } : {}),
  });
}
