import { randomBytes } from 'node:crypto';
import { Option } from 'commander';
import type { Command } from 'commander';
import { ROLES } from '../../domain/business/access/permissions';
import type { Role } from '../../domain/business/access/permissions';
import { IDENTITY_ROLES } from '../../domain/identity/access/roles';
import type { IdentityRole } from '../../domain/identity/access/roles';
import { createUser } from '../../services/platform/access/users';
import { findOrganisationId, printJson, withPlatform } from './platform';

interface UserInput {
  organisation: string;
  email: string;
  name: string;
  role?: Role;
  identityRole?: IdentityRole;
  password?: string;
}

export const generatePassword = (): string => randomBytes(12).toString('base64url');

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
}

async function createUserCommand(input: UserInput): Promise<void> {
  const password = input.password ?? generatePassword();
  const user = await withPlatform(async (platform) =>
    createUser(platform, {
      organisationId: await findOrganisationId(input.organisation),
      email: input.email,
      name: input.name,
      roles: { business: input.role ?? null, identity: input.identityRole ?? null },
      password,
    }),
  );
  printJson({
    userId: user._id,
    email: user.email,
    role: user.role,
    identityRole: user.identityRole,
    ...(input.password === undefined ? { password } : {}),
  });
}
