import { InvalidArgumentError, Option } from 'commander';
import type { Command } from 'commander';
import { PERMISSIONS } from '../../domain/business/access/permissions';
import { invalidFieldError } from '../../domain/errors';
import { IDENTITY_PERMISSIONS } from '../../domain/identity/access/permissions';
import { issueApiKey } from '../../services/platform/access/api-keys';
import { rotateSigningKey } from '../../services/platform/access/signing-keys';
import { findOrganisationId, parseList, printJson, withPlatform } from './platform';

const API_PERMISSIONS: Record<'identity' | 'business', readonly string[]> = {
  identity: IDENTITY_PERMISSIONS,
  business: PERMISSIONS,
};

interface KeyInput {
  organisation: string;
  api: keyof typeof API_PERMISSIONS;
  name: string;
  mode: 'live' | 'test';
  permissions?: string[];
  allowedIps?: string[];
  expiresAt?: Date;
}

/** Adds `create-key` and `rotate-signing-key`. */
export function addKeyCommands(program: Command): void {
  program
    .command('create-key')
    .description('create an API key; it is printed only once')
    .requiredOption('--organisation <slug>', 'slug of the organisation')
    .addOption(
      new Option('--api <api>', 'API that the key opens').choices(Object.keys(API_PERMISSIONS)).makeOptionMandatory(),
    )
    .requiredOption('--name <name>', 'name of the key')
    .addOption(new Option('--mode <mode>', 'mode of the key').choices(['live', 'test']).default('live'))
    .option('--permissions <list>', 'permissions separated by commas (default: all)', parseList)
    .option('--allowed-ips <list>', 'CIDR ranges separated by commas (default: any address)', parseList)
    .option('--expires-at <instant>', 'ISO 8601 instant at which the key expires (default: never)', parseInstant)
    .action(createKeyCommand);
  program
    .command('rotate-signing-key')
    .description(
      'sign shares and audit chains with a new key; the previous key stays published until its shares have expired',
    )
    .action(async () => printJson(await withPlatform((platform) => rotateSigningKey(platform))));
}

function parseInstant(text: string): Date {
  const instant = new Date(text);
  if (Number.isNaN(instant.getTime()))
    throw new InvalidArgumentError('accepts an instant such as 2030-01-31T12:00:00Z.');
  return instant;
}

async function createKeyCommand(input: KeyInput): Promise<void> {
  const { api, mode } = input;
  const name = input.name.trim();
  if (name === '') throw invalidFieldError('--name', 'must not be empty');
  const allPermissions = API_PERMISSIONS[api];
  const permissions = input.permissions ?? [...allPermissions];
  if (permissions.length === 0) throw invalidFieldError('--permissions', 'must name at least one permission');
  const unknown = permissions.find((permission) => !allPermissions.includes(permission));
  if (unknown !== undefined)
    throw invalidFieldError('--permissions', `${unknown} is not known; accepts ${allPermissions.join(', ')}`);
  const { record, secret } = await withPlatform(async (platform) => {
    const scope = { organisationId: await findOrganisationId(input.organisation), mode };
    return issueApiKey(platform, scope, api, {
      name,
      permissions,
      allowedIps: input.allowedIps ?? [],
      expiresAt: input.expiresAt ?? null,
    });
  });
  printJson({ keyId: record._id, api, mode, permissions, secret });
}
