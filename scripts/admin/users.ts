import { Option } from 'commander';
import type { Command } from 'commander';
import { ROLES } from '../../domain/business/access/permissions';
import type { Role } from '../../domain/business/access/permissions';
import { IDENTITY_ROLES } from '../../domain/identity/access/roles';
import type { IdentityRole } from '../../domain/identity/access/roles';
import { invalidFieldError, notFoundError } from '../../domain/errors';
import type { UserRecord } from '../../models/platform/access/user';
import {
  generatePassword,
  setTemporaryPassword,
  TEMPORARY_PASSWORD_HOURS,
  unlockUser,
} from '../../services/platform/access/password-change';
import { removeSecondFactor } from '../../services/platform/access/second-factor';
import { createUser, findUsersByEmail } from '../../services/platform/access/users';
import { findOrganisationId, printJson, withPlatform } from './platform';

interface UserInput {
  organisation: string;
  email: string;
  name: string;
  role?: Role;
  identityRole?: IdentityRole;
  password?: string;
}

/**
 * Adds `create-user`, and the commands that let a user in again: `unlock-user`, `reset-password`,
 * `remove-second-factor`.
 */
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
  addUserOptions(program.command('unlock-user'))
    .description('forget the failed sign-in attempts of a user, so that no attempt is delayed')
    .action(unlockUserCommand);
  addUserOptions(program.command('reset-password'))
    .description(
      `give a user a temporary password, which is printed only once, can be used for ${TEMPORARY_PASSWORD_HOURS} hours and must be changed after signing in; ends the sessions of the user and the API keys that the user created`,
    )
    .option('--keep-keys', 'leave the API keys valid that the user created')
    .action(resetPasswordCommand);
  addUserOptions(program.command('remove-second-factor'))
    .description('remove the second factor of a user who has lost it together with the recovery codes')
    .action(removeSecondFactorCommand);
}

interface UserOptions {
  email: string;
  organisation?: string;
}

/** Adds the options that name a user. */
const addUserOptions = (command: Command): Command =>
  command
    .requiredOption('--email <email>', 'email address of the user')
    .option('--organisation <slug>', 'slug of the organisation, where several have a user with this address');

/** @throws AppError 404; 400 if several organisations have such a user and none is named */
async function requireUser({ email, organisation }: UserOptions): Promise<UserRecord> {
  const organisationId = organisation === undefined ? undefined : await findOrganisationId(organisation);
  const users = (await findUsersByEmail(email)).filter(
    (user) => organisationId === undefined || user.organisationId === organisationId,
  );
  const [user] = users;
  if (user === undefined) throw notFoundError('user');
  if (users.length > 1)
    throw invalidFieldError(
      '--organisation',
      'is required, because several organisations have a user with this address',
    );
  return user;
}

async function unlockUserCommand(options: UserOptions): Promise<void> {
  const { user, hadFailures } = await withPlatform(async (platform) => {
    const found = await requireUser(options);
    return { user: found, hadFailures: await unlockUser(platform, found) };
  });
  printJson({ userId: user._id, hadFailures });
}

async function removeSecondFactorCommand(options: UserOptions): Promise<void> {
  const user = await withPlatform(async (platform) => {
    const found = await requireUser(options);
    await removeSecondFactor(platform, found, 'system');
    return found;
  });
  printJson({ userId: user._id });
}

async function resetPasswordCommand({
  keepKeys = false,
  ...options
}: UserOptions & { keepKeys?: boolean }): Promise<void> {
  const result = await withPlatform(async (platform) => {
    const user = await requireUser(options);
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
