import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { isPermission, PERMISSIONS, ROLES } from '../domain/business/access/permissions';
import { AppError, invalidField } from '../domain/errors';
import { IDENTITY_PERMISSIONS } from '../domain/identity/access/permissions';
import { IDENTITY_ROLES } from '../domain/identity/access/roles';
import { ConfigError, loadConfig } from '../lib/config';
import { ensureIndexes } from '../models';
import { issueApiKey } from '../services/platform/access/api-keys';
import { INSTALLATION } from '../services/identity/aml/versions';
import { verifyAudit } from '../services/platform/audit/verification';
import { closePlatform, createPlatform } from '../services/platform/bootstrap';
import { allowEgress, createOrganisation, findOrganisationBySlug } from '../services/platform/access/organisations';
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

function need(options: Options, name: string): string {
  const value = options[name];
  if (value === undefined || value === '') throw invalidField(`--${name}`, 'is required');
  return value;
}

const list = (text: string | undefined): string[] | undefined =>
  text
    ?.split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

async function organisationOf(options: Options): Promise<string> {
  const slug = need(options, 'organisation');
  const organisation = await findOrganisationBySlug(slug);
  if (organisation === null)
    throw new AppError('not_found', 404, `--organisation: no organisation has the slug ${slug}.`);
  return organisation._id;
}

async function newOrganisation(platform: Platform, options: Options): Promise<object> {
  const organisation = await createOrganisation(platform, { name: need(options, 'name'), slug: need(options, 'slug') });
  await ensureBusinessDefaults(platform, organisation._id, { legalName: organisation.name });
  return { organisationId: organisation._id, slug: organisation.slug };
}

async function newUser(platform: Platform, options: Options): Promise<object> {
  const role = need(options, 'role');
  if (!ALL_ROLES.includes(role)) throw invalidField('--role', `accepts ${ALL_ROLES.join(', ')}`);
  const password = options['password'] ?? randomBytes(12).toString('base64url');
  const user = await createUser(platform, {
    organisationId: await organisationOf(options),
    email: need(options, 'email'),
    name: need(options, 'name'),
    role,
    password,
  });
  return { userId: user._id, email: user.email, role, ...(options['password'] === undefined ? { password } : {}) };
}

async function newKey(platform: Platform, options: Options): Promise<object> {
  const api = need(options, 'api');
  if (api !== 'identity' && api !== 'business') throw invalidField('--api', 'accepts identity or business');
  const mode = options['mode'] ?? 'live';
  if (mode !== 'live' && mode !== 'test') throw invalidField('--mode', 'accepts live or test');
  const known: readonly string[] = api === 'identity' ? IDENTITY_PERMISSIONS : PERMISSIONS;
  const permissions = list(options['permissions']) ?? [...known];
  const unknown = permissions.find((permission) =>
    api === 'business' ? !isPermission(permission) : !known.includes(permission),
  );
  if (unknown !== undefined)
    throw invalidField('--permissions', `${unknown} is not known; accepts ${known.join(', ')}`);
  const { record, secret } = await issueApiKey(platform, { organisationId: await organisationOf(options), mode }, api, {
    name: need(options, 'name'),
    permissions,
    allowedIps: list(options['allowed-ips']) ?? [],
    expiresAt: options['expires-at'] === undefined ? null : new Date(options['expires-at']),
  });
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
  if (options['receiver'] !== undefined) await allowEgress(platform, organisation._id, [options['receiver']]);
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
  const addresses = list(options['addresses']) ?? [];
  await allowEgress(platform, await organisationOf(options), addresses);
  return { addresses };
}

async function verify(chain: string): Promise<object> {
  const verdict = await verifyAudit(chain);
  if (!verdict.valid) process.exitCode = 2;
  return verdict;
}

async function run(platform: Platform, command: string, options: Options): Promise<object> {
  switch (command) {
    case 'create-organisation':
      return newOrganisation(platform, options);
    case 'create-user':
      return newUser(platform, options);
    case 'create-key':
      return newKey(platform, options);
    case 'verify-audit':
      return verify(await organisationOf(options));
    case 'verify-installation-audit':
      return verify(INSTALLATION);
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

const text = { type: 'string' } as const;
const STRING_OPTIONS = {
  name: text,
  slug: text,
  organisation: text,
  email: text,
  role: text,
  password: text,
  api: text,
  mode: text,
  permissions: text,
  'allowed-ips': text,
  'expires-at': text,
  addresses: text,
  receiver: text,
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
    process.stdout.write(`${JSON.stringify(await run(platform, command, options))}\n`);
  } finally {
    await closePlatform(platform);
  }
}

main().catch((error: unknown) => {
  const expected = error instanceof AppError || error instanceof ConfigError;
  process.stderr.write(`${expected ? error.message : String(error instanceof Error ? error.stack : error)}\n`);
  process.exitCode = 1;
});
