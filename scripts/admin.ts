import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { isPermission, PERMISSIONS, ROLES } from '../domain/business/access/permissions';
import { AppError, invalidFieldError } from '../domain/errors';
import { IDENTITY_PERMISSIONS } from '../domain/identity/access/permissions';
import { IDENTITY_ROLES } from '../domain/identity/access/roles';
import { ConfigError, loadConfig } from '../lib/config';
import { ensureIndexes } from '../models';
import { issueApiKey } from '../services/platform/access/api-keys';
import { INSTALLATION } from '../services/identity/aml/versions';
import { verifyAuditChain } from '../services/platform/audit/verification';
import { closePlatform, createPlatform } from '../services/platform/bootstrap';
import {
  setEgressExceptions,
  createOrganisation,
  findOrganisationBySlug,
} from '../services/platform/access/organisations';
import type { Platform } from '../services/platform/platform';
import { rotateSigningKey } from '../services/platform/access/signing-keys';
import { createUser, findUserByEmail } from '../services/platform/access/users';
import { ensureBusinessDefaults } from '../services/business/settings/default-records';

const ALL_ROLES: readonly string[] = [...ROLES, ...IDENTITY_ROLES];

const USAGE = `Usage: npm run admin -- <command> [options]

  create-organisation --name NAME --slug SLUG
  create-user         --organisation SLUG --email EMAIL --name NAME --role ${ALL_ROLES.join('|')} [--password PASSWORD]
  create-key          --organisation SLUG --api identity|business --name NAME [--mode live|test]
                      [--permissions a:b,c:d] [--allowed-ips CIDR,CIDR] [--expires-at INSTANT]
  verify-audit        --organisation SLUG
  verify-installation-audit
                      what was done to watch lists that serve every organisation
  rotate-signing-key  signs shares and audit chains with a new key; the one before stays published until its shares
                      have expired
  allow-egress        --organisation SLUG --addresses HOST:PORT,HOST:PORT
                      private addresses that webhooks of this organisation alone may reach; replaces the list
  ensure-demo         [--receiver HOST:PORT] the demonstration organisation with a key and an administrator
                      (npm start runs this)

Answers are JSON on standard output; a generated password or key is shown this once.
`;

const DEMO = {
  name: 'Demonstration Ltd',
  slug: 'demo',
  email: 'admin@demo.example',
  company: {
    address: { line1: '1 Quay Street', city: 'Dublin', postalCode: 'D02 X285', country: 'IE' },
    taxId: 'IE1234567T',
    email: 'accounts@demo.example',
    // The example IBAN of the Irish registry entry.
    iban: 'IE29AIBK93115212345678',
  },
};

type Options = Readonly<Record<string, string | undefined>>;

function requireOption(options: Options, name: string): string {
  const value = options[name];
  if (value === undefined || value === '') throw invalidFieldError(`--${name}`, 'is required');
  return value;
}

const parseList = (text: string | undefined): string[] | undefined =>
  text
    ?.split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

async function findOrganisationId(options: Options): Promise<string> {
  const slug = requireOption(options, 'organisation');
  const organisation = await findOrganisationBySlug(slug);
  if (organisation === null)
    throw new AppError('not_found', 404, `--organisation: no organisation has the slug ${slug}.`);
  return organisation._id;
}

async function addOrganisation(platform: Platform, options: Options): Promise<object> {
  const organisation = await createOrganisation(platform, {
    name: requireOption(options, 'name'),
    slug: requireOption(options, 'slug'),
  });
  await ensureBusinessDefaults(platform, organisation._id, { legalName: organisation.name });
  return { organisationId: organisation._id, slug: organisation.slug };
}

async function addUser(platform: Platform, options: Options): Promise<object> {
  const role = requireOption(options, 'role');
  if (!ALL_ROLES.includes(role)) throw invalidFieldError('--role', `accepts ${ALL_ROLES.join(', ')}`);
  const password = options['password'] ?? randomBytes(12).toString('base64url');
  const user = await createUser(platform, {
    organisationId: await findOrganisationId(options),
    email: requireOption(options, 'email'),
    name: requireOption(options, 'name'),
    role,
    password,
  });
  return { userId: user._id, email: user.email, role, ...(options['password'] === undefined ? { password } : {}) };
}

async function addKey(platform: Platform, options: Options): Promise<object> {
  const api = requireOption(options, 'api');
  if (api !== 'identity' && api !== 'business') throw invalidFieldError('--api', 'accepts identity or business');
  const mode = options['mode'] ?? 'live';
  if (mode !== 'live' && mode !== 'test') throw invalidFieldError('--mode', 'accepts live or test');
  const knownPermissions: readonly string[] = api === 'identity' ? IDENTITY_PERMISSIONS : PERMISSIONS;
  const permissions = parseList(options['permissions']) ?? [...knownPermissions];
  const unknown = permissions.find((permission) =>
    api === 'business' ? !isPermission(permission) : !knownPermissions.includes(permission),
  );
  if (unknown !== undefined)
    throw invalidFieldError('--permissions', `${unknown} is not known; accepts ${knownPermissions.join(', ')}`);
  const { record, secret } = await issueApiKey(
    platform,
    { organisationId: await findOrganisationId(options), mode },
    api,
    {
      name: requireOption(options, 'name'),
      permissions,
      allowedIps: parseList(options['allowed-ips']) ?? [],
      expiresAt: options['expires-at'] === undefined ? null : new Date(options['expires-at']),
    },
  );
  return { keyId: record._id, api, mode, permissions, secret };
}

/**
 * The demonstration organisation, made by the first start. What can be shown once (password, key) is in the answer of
 * the run that made it only; the launcher keeps it in run.json.
 */
async function ensureDemo(platform: Platform, options: Options): Promise<object> {
  const organisation =
    (await findOrganisationBySlug(DEMO.slug)) ??
    (await createOrganisation(platform, { name: DEMO.name, slug: DEMO.slug }));
  await ensureBusinessDefaults(platform, organisation._id, { legalName: organisation.name, ...DEMO.company });
  if (options['receiver'] !== undefined) await setEgressExceptions(platform, organisation._id, [options['receiver']]);
  const existing = await findUserByEmail(DEMO.email);
  const password = randomBytes(12).toString('base64url');
  if (existing === null) {
    await createUser(platform, {
      organisationId: organisation._id,
      email: DEMO.email,
      name: 'Demo Administrator',
      role: 'admin',
      password,
    });
  }
  const scope = { organisationId: organisation._id, mode: 'live' } as const;
  const { secret } = await issueApiKey(platform, scope, 'identity', {
    name: 'Demonstration',
    permissions: [...IDENTITY_PERMISSIONS],
  });
  return {
    organisationId: organisation._id,
    identityApiKey: secret,
    admin: { email: DEMO.email, password: existing === null ? password : null },
  };
}

async function setEgress(platform: Platform, options: Options): Promise<object> {
  const addresses = parseList(options['addresses']) ?? [];
  await setEgressExceptions(platform, await findOrganisationId(options), addresses);
  return { addresses };
}

async function verifyChain(chain: string): Promise<object> {
  const verdict = await verifyAuditChain(chain);
  if (!verdict.valid) process.exitCode = 2;
  return verdict;
}

async function runCommand(platform: Platform, command: string, options: Options): Promise<object> {
  switch (command) {
    case 'create-organisation':
      return addOrganisation(platform, options);
    case 'create-user':
      return addUser(platform, options);
    case 'create-key':
      return addKey(platform, options);
    case 'verify-audit':
      return verifyChain(await findOrganisationId(options));
    case 'verify-installation-audit':
      return verifyChain(INSTALLATION);
    case 'rotate-signing-key':
      return rotateSigningKey(platform);
    case 'ensure-demo':
      return ensureDemo(platform, options);
    case 'allow-egress':
      return setEgress(platform, options);
    default:
      throw new AppError('unknown_command', 400, `${command} is not a command.\n\n${USAGE}`);
  }
}

const stringOption = { type: 'string' } as const;
const STRING_OPTIONS = {
  name: stringOption,
  slug: stringOption,
  organisation: stringOption,
  email: stringOption,
  role: stringOption,
  password: stringOption,
  api: stringOption,
  mode: stringOption,
  permissions: stringOption,
  'allowed-ips': stringOption,
  'expires-at': stringOption,
  addresses: stringOption,
  receiver: stringOption,
};

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      help: { type: 'boolean' },
      json: { type: 'boolean' },
      ...STRING_OPTIONS,
    },
  });
  const [command] = positionals;
  if (values.help === true || command === undefined) {
    process.stdout.write(USAGE);
    return;
  }
  const platform = await createPlatform({ ...loadConfig(), LOG_LEVEL: 'warn' }, { name: 'admin', watch: false });
  try {
    await ensureIndexes();
    const { help: _help, json: _json, ...options } = values;
    process.stdout.write(`${JSON.stringify(await runCommand(platform, command, options))}\n`);
  } finally {
    await closePlatform(platform);
  }
}

main().catch((error: unknown) => {
  const expected = error instanceof AppError || error instanceof ConfigError;
  process.stderr.write(`${expected ? error.message : String(error instanceof Error ? error.stack : error)}\n`);
  process.exitCode = 1;
});
