import { Resolver } from 'node:dns';
import { z } from 'zod';
import { auditHeadWebhookVariables, readAuditHeadWebhook } from './audit-head-webhook';
import type { AuditHeadWebhook } from './audit-head-webhook';
import { ConfigError } from './config-error';
import { baseUrl, httpUrl, isHostPort, isProxyRange } from './config-values';
import type { KmsSettings } from './kms/settings';
import { kmsVariables } from './kms/variables';
import { addMongoPassword, readSecretFiles } from './secret-settings';
import { readTrustedIssuers } from './trusted-issuers';
import type { TrustedIssuer } from './trusted-issuers';
import { MAX_ARCHIVED_DOCUMENTS } from '../domain/business/exports/exports';
import { DAY_SECONDS, HOUR_SECONDS } from '../domain/durations';

export { ConfigError };

const flag = z
  .enum(['true', 'false', '1', '0'], { error: 'accepts true or false' })
  .transform((value) => value === 'true' || value === '1');

const integer = (min: number, max: number) =>
  z.coerce
    .number({ error: `accepts a whole number ${min}–${max}` })
    .int()
    .min(min)
    .max(max);

const commaList = z.string().transform((value) =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
);

const hostPorts = commaList.refine(
  (list) => list.every(isHostPort),
  'accepts exact host:port pairs, separated by commas',
);

const proxyRanges = commaList.refine(
  (list) => list.every(isProxyRange),
  'accepts IP addresses and CIDR ranges such as 10.0.0.0/8, separated by commas',
);

/** An origin as browsers send it: scheme, host and any non-default port, without a path. */
const origins = commaList.refine(
  (list) => list.every((part) => /^https?:/.test(part) && URL.canParse(part) && new URL(part).origin === part),
  'accepts origins such as https://console.example.com, separated by commas',
);

const isDnsServerList = (servers: readonly string[]): boolean => {
  try {
    new Resolver().setServers(servers);
    return true;
  } catch {
    return false;
  }
};

const dnsServers = commaList.refine(
  isDnsServerList,
  'accepts IP addresses, each with or without a port, separated by commas',
);

/** Every variable with its default and limits; docs/reference/configuration.md is generated from it. */
export const configurationSchema = z.object({
  NODE_ENV: z.enum(['development', 'test', 'production']).default('development'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  HOST: z.string().default('127.0.0.1'),
  PORT: integer(0, 65535).default(3000),
  /** Base URL of the API for clients and for links in responses. Default: http://HOST:PORT. */
  PUBLIC_URL: httpUrl.optional(),
  /** Origins whose pages can sign in and call /v1 with a session cookie. Default: the origin of PUBLIC_URL. */
  ALLOWED_ORIGINS: origins.optional(),
  /** Origins whose pages may show the capture page in a frame. Default: none. */
  CAPTURE_FRAME_ORIGINS: origins.default([]),
  TLS_CERT: z.string().optional(),
  TLS_KEY: z.string().optional(),
  /** CIDR ranges of reverse proxies whose X-Forwarded-* headers are trusted. */
  TRUSTED_PROXIES: proxyRanges.default([]),
  MONGO_URL: z.string().regex(/^mongodb(\+srv)?:\/\//, 'accepts a mongodb:// URL of a replica set'),
  MONGO_URL_FILE: z.string().optional(),
  /** Added to MONGO_URL, which then names a user without a password. */
  MONGO_PASSWORD: z.string().min(1).optional(),
  MONGO_PASSWORD_FILE: z.string().optional(),
  TEMPORAL_ADDRESS: z.string().regex(/^[^\s/]+:\d+$/, 'accepts host:port'),
  TEMPORAL_NAMESPACE: z.string().default('default'),
  TEMPORAL_TLS: flag.default(false),
  /** PEM files: the private authority of the server, and the certificate of this process with its key. */
  TEMPORAL_TLS_CA_FILE: z.string().optional(),
  TEMPORAL_TLS_CERT_FILE: z.string().optional(),
  TEMPORAL_TLS_KEY_FILE: z.string().optional(),
  TEMPORAL_TLS_SERVER_NAME: z.string().min(1).optional(),
  /** Default: in production. */
  TEMPORAL_PAYLOAD_ENCRYPTION: flag.optional(),
  TEMPORAL_API_KEY: z.string().optional(),
  TEMPORAL_API_KEY_FILE: z.string().optional(),
  TEMPORAL_UI_URL: httpUrl.optional(),
  S3_ENDPOINT: httpUrl,
  S3_REGION: z.string().default('us-east-1'),
  S3_ACCESS_KEY: z.string().min(1),
  S3_ACCESS_KEY_FILE: z.string().optional(),
  S3_SECRET_KEY: z.string().min(1),
  S3_SECRET_KEY_FILE: z.string().optional(),
  S3_BUCKET: z.string().min(3).default('vouch'),
  /** Bucket for signed heads of audit chains. Default: S3_BUCKET followed by -audit. */
  S3_AUDIT_BUCKET: z.string().min(3).optional(),
  /** Bucket of wrapping keys, apart from the data. Default: S3_BUCKET followed by -keys. */
  S3_KEY_BUCKET: z.string().min(3).optional(),
  /** Age in days at which the wrapping key of an organisation is replaced. */
  KEY_ROTATION_DAYS: integer(1, 3650).default(30),
  /** Days after which a replaced wrapping key is removed: older backups then contain nothing that can be decrypted. */
  KEY_RETENTION_DAYS: integer(1, 3650).default(30),
  /** Days for which the object store refuses to delete a signed head (S3 Object Lock, compliance mode); 0 for no lock. */
  AUDIT_RETENTION_DAYS: integer(0, 36_500).default(365),
  ...auditHeadWebhookVariables,
  /** Folder, or s3://<bucket>/<prefix>, of the backups. */
  BACKUP_TARGET: z.string().min(1).optional(),
  /** File with the passphrase that encrypts backups, of at least 16 characters. */
  BACKUP_KEY_FILE: z.string().optional(),
  /** S3 server of the backups. Default: that of the installation. */
  BACKUP_S3_ENDPOINT: httpUrl.optional(),
  BACKUP_S3_REGION: z.string().optional(),
  BACKUP_S3_ACCESS_KEY_FILE: z.string().optional(),
  BACKUP_S3_SECRET_KEY_FILE: z.string().optional(),
  CHROMIUM_PATH: z.string().optional(),
  /** False only where Chromium has no sandbox: as root, and where the kernel forbids user namespaces. */
  CHROMIUM_SANDBOX: flag.default(true),
  /** User and group, `<uid>:<gid>`, that a worker started as root changes to once it has read its secrets. */
  RUN_AS: z
    .string()
    .regex(/^[1-9]\d{0,8}:[1-9]\d{0,8}$/, 'accepts <uid>:<gid>, both above 0')
    .optional(),
  MODELS_DIR: z.string().default('.vouch/models'),
  /** `<key id>:<32 bytes base64>` or `<key id>:<service>:<encrypted key>`, separated by commas. The first encrypts. */
  MASTER_KEY: z.string().optional(),
  MASTER_KEY_FILE: z.string().optional(),
  ...kmsVariables,
  /** At least 32 characters; several separated by commas. The first signs, all verify. */
  JWT_SECRET: z.string().min(32).optional(),
  JWT_SECRET_FILE: z.string().optional(),
  /** JSON file of the installations whose shares are accepted, with their keys (docs/how-to/share-a-session.md). */
  TRUSTED_ISSUERS_FILE: z.string().optional(),
  ACCESS_TOKEN_SECONDS: integer(60, DAY_SECONDS).default(3600),
  REFRESH_TOKEN_SECONDS: integer(3600, 90 * DAY_SECONDS).default(7 * DAY_SECONDS),
  REFRESH_REUSE_GRACE_SECONDS: integer(0, 300).default(10),
  /** Longest time for which a sign-in to /api can be refreshed. */
  LOGIN_SESSION_SECONDS: integer(3600, 365 * DAY_SECONDS).default(30 * DAY_SECONDS),
  /** Longest time of a browser session, and the time without a request after which it ends. */
  BROWSER_SESSION_SECONDS: integer(300, 30 * DAY_SECONDS).default(12 * HOUR_SECONDS),
  BROWSER_SESSION_IDLE_SECONDS: integer(60, DAY_SECONDS).default(HOUR_SECONDS),
  /** Bearer token for /metrics; without a token the route does not exist. */
  METRICS_TOKEN: z.string().min(16, 'accepts at least 16 characters').optional(),
  METRICS_TOKEN_FILE: z.string().optional(),
  /** OTLP receiver of traces over HTTP; without it nothing is traced. */
  OTEL_EXPORTER_OTLP_ENDPOINT: baseUrl.optional(),
  /** Share of requests that are traced. One that comes with a sampled trace (`traceparent`) always is. */
  TRACES_SAMPLE_RATIO: z.coerce.number({ error: 'accepts a number 0–1' }).min(0).max(1).default(1),
  /** Exact host:port pairs that the egress guard allows although their addresses are private. */
  EGRESS_ALLOW: hostPorts.default([]),
  /** DNS servers for outgoing requests, as `address` or `address:port`. Default: those of the system. */
  DNS_SERVERS: dnsServers.default([]),
  RATE_LIMIT_IDENTITY_PER_MINUTE: integer(1, 1_000_000).default(300),
  RATE_LIMIT_SESSION_CREATION_PER_MINUTE: integer(1, 1_000_000).default(600),
  RATE_LIMIT_BUSINESS_PER_MINUTE: integer(1, 1_000_000).default(100),
  RATE_LIMIT_AUTH_PER_MINUTE: integer(1, 1_000_000).default(10),
  /** Requests of one browser on the capture page, and links that one address opens. */
  RATE_LIMIT_CAPTURE_PER_MINUTE: integer(1, 1_000_000).default(240),
  /** Exports per minute of one user or API key of the business API. */
  RATE_LIMIT_EXPORTS_PER_MINUTE: integer(1, 1_000_000).default(5),
  /** Requests of one address to /readyz, /docs, /openapi and /.well-known, in each process. */
  RATE_LIMIT_PAGES_PER_MINUTE: integer(1, 1_000_000).default(600),
  /** Time that one query of a request may take in MongoDB. */
  QUERY_TIMEOUT_SECONDS: integer(1, 600).default(15),
  /** An organisation may send this many times the requests of one key, user or address. */
  RATE_LIMIT_ORGANISATION_MULTIPLE: integer(1, 1000).default(10),
  /** Time for a request to arrive; larger bodies need a connection that is fast enough. */
  REQUEST_TIMEOUT_SECONDS: integer(1, 3600).default(60),
  /** Least rate at which a body must arrive, measured over UPLOAD_STALL_SECONDS; 0 for none. */
  UPLOAD_MIN_KILOBYTES_PER_SECOND: integer(0, 10_000).default(16),
  UPLOAD_STALL_SECONDS: integer(1, 600).default(10),
  /** Memory for the bodies of all requests of one API process. Files may fill three quarters, one organisation half. */
  BODY_MEMORY_MEGABYTES: integer(128, 65_536).default(256),
  /** Disk space for files above 1 MB that are being received; one organisation may fill half. */
  UPLOAD_DISK_MEGABYTES: integer(128, 1_048_576).default(2048),
  /** Directory of files that are being received, encrypted. Default: that of the system for temporary files. */
  UPLOAD_DIR: z.string().optional(),
  /** Retention of export files, in days. */
  EXPORT_RETENTION_DAYS: integer(1, 365).default(7),
  EXPORT_ARCHIVE_DOCUMENTS: integer(1, MAX_ARCHIVED_DOCUMENTS).default(MAX_ARCHIVED_DOCUMENTS),
  /** Retention of standalone checks, in days. */
  CHECK_RETENTION_DAYS: integer(1, 3650).default(30),
  /** Providers of business checks, in order of authority. */
  KYB_PROVIDERS: commaList.default(['companies_house', 'gleif', 'vies']).pipe(
    z.array(
      z.enum(['companies_house', 'gleif', 'vies'], {
        error: 'accepts companies_house, gleif, vies, separated by commas',
      }),
    ),
  ),
  GLEIF_URL: baseUrl.default('https://api.gleif.org/api/v1'),
  COMPANIES_HOUSE_URL: baseUrl.default('https://api.company-information.service.gov.uk'),
  /** Companies House is used only with a key. */
  COMPANIES_HOUSE_API_KEY: z.string().min(1).optional(),
  COMPANIES_HOUSE_API_KEY_FILE: z.string().optional(),
  /** Whether new VAT identifiers are verified by VIES without a request. */
  TAX_ID_VERIFICATION: z.enum(['automatic', 'on_request']).default('automatic'),
  VIES_URL: baseUrl.default('https://ec.europa.eu/taxation_customs/vies/rest-api'),
  /** Default of this and the next two: from cores and memory (workers/slots.ts). */
  VISION_THREADS: integer(1, 64).optional(),
  /** Memory for face embeddings in each vision worker: 512 MB hold 209,000 faces. */
  FACE_GALLERY_MEGABYTES: integer(16, 65_536).default(512),
  SCREENING_THREADS: integer(1, 64).optional(),
  /** Hours between two refreshes of a watch list. */
  AML_REFRESH_HOURS: integer(1, 720).default(12),
  /** Hours since the last successful refresh after which a watch list is stale. */
  AML_STALE_AFTER_HOURS: integer(1, 8760).default(72),
  RENDERING_PAGES: integer(1, 16).optional(),
  WORKER_HEALTH_PORT: integer(0, 65535).optional(),
  /** Build of the worker for Temporal's worker versioning. Default: none; every worker gets tasks. */
  WORKER_BUILD_ID: z.string().min(1).max(100).optional(),
  SHUTDOWN_GRACE_SECONDS: integer(1, 600).default(30),
  /** A process whose event loop has not run for this long ends, and its supervisor starts it again. */
  EVENT_LOOP_LIMIT_SECONDS: integer(5, 3600).default(60),
});

export type Config = Readonly<
  Omit<z.infer<typeof configurationSchema>, 'PUBLIC_URL' | 'ALLOWED_ORIGINS' | 'TEMPORAL_PAYLOAD_ENCRYPTION'>
> & {
  readonly PUBLIC_URL: string;
  readonly ALLOWED_ORIGINS: readonly string[];
  readonly TEMPORAL_PAYLOAD_ENCRYPTION: boolean;
  readonly masterKeys: string;
  /** Undefined without Vault, or with an AppRole. */
  readonly vaultToken: string | undefined;
  /** Undefined without an AppRole of Vault. */
  readonly vaultSecretId: string | undefined;
  /** All verify tokens, and the first signs ({@link requireJwtSecret}); empty in processes that have no part in that. */
  readonly jwtSecrets: readonly string[];
  /** Undefined without metrics. */
  readonly metricsToken: string | undefined;
  /** Undefined without Companies House. */
  readonly companiesHouseKey: string | undefined;
  /** Undefined unless signed heads of audit chains are posted to a receiver. */
  readonly auditHeadWebhook: AuditHeadWebhook | undefined;
  /** Installations whose shares are accepted. */
  readonly trustedIssuers: readonly TrustedIssuer[];
};

/** A secret that every process needs. @throws ConfigError if it is missing */
function requireSecret(name: string, value: string | undefined, production: boolean): string {
  if (value !== undefined) return value;
  const hint = production ? 'required in production' : '`npm start` creates one';
  throw new ConfigError(`${name}: missing (${hint}); set ${name} or ${name}_FILE.`);
}

const kmsSchema = z.object(kmsVariables);

const readKmsSecrets = (data: z.infer<typeof kmsSchema>) => ({
  vaultToken: data.VAULT_TOKEN,
  vaultSecretId: data.VAULT_SECRET_ID,
});

/** Parses the variables that are set. @throws ConfigError with the name and the accepted values of every invalid one */
export function parseVariables<T>(schema: z.ZodType<T>, env: NodeJS.ProcessEnv): T {
  const definedVariables = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = schema.safeParse(definedVariables);
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new ConfigError(`The configuration is not valid.\n  ${lines.join('\n  ')}`);
}

/**
 * The settings of key management services alone: a master key is created before the configuration is complete.
 * @throws ConfigError with the name and the accepted values of every invalid variable
 */
export function loadKmsSettings(env: NodeJS.ProcessEnv = process.env): KmsSettings {
  const data = parseVariables(kmsSchema, readSecretFiles(env, ['VAULT_TOKEN', 'VAULT_SECRET_ID']));
  return { ...data, ...readKmsSecrets(data) };
}

/** Secrets of tokens, separated by commas or line breaks. */
function parseJwtSecrets(text: string | undefined): string[] {
  const secrets = text === undefined ? [] : text.split(/[,\r\n]+/).map((part) => part.trim());
  if (secrets.some((secret) => secret.length < 32))
    throw new ConfigError('JWT_SECRET: accepts secrets of at least 32 characters each, separated by commas.');
  return secrets;
}

/**
 * Parses the environment at the start of a process.
 * @throws ConfigError with the name and the accepted values of every invalid variable
 */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const data = parseVariables(configurationSchema, readSecretFiles(env));
  const production = data.NODE_ENV === 'production';
  if ((data.TLS_CERT === undefined) !== (data.TLS_KEY === undefined)) {
    throw new ConfigError('TLS_CERT and TLS_KEY: set both or neither.');
  }
  const publicUrl = data.PUBLIC_URL ?? `http://${data.HOST.includes(':') ? `[${data.HOST}]` : data.HOST}:${data.PORT}`;
  return Object.freeze({
    ...data,
    TEMPORAL_PAYLOAD_ENCRYPTION: data.TEMPORAL_PAYLOAD_ENCRYPTION ?? production,
    MONGO_URL: addMongoPassword(data.MONGO_URL, data.MONGO_PASSWORD),
    PUBLIC_URL: publicUrl.replace(/\/+$/, ''),
    ALLOWED_ORIGINS: data.ALLOWED_ORIGINS ?? [new URL(publicUrl).origin],
    masterKeys: requireSecret('MASTER_KEY', data.MASTER_KEY, production),
    ...readKmsSecrets(data),
    jwtSecrets: parseJwtSecrets(data.JWT_SECRET),
    metricsToken: data.METRICS_TOKEN,
    companiesHouseKey: data.COMPANIES_HOUSE_API_KEY,
    auditHeadWebhook: readAuditHeadWebhook(data),
    trustedIssuers: readTrustedIssuers(data.TRUSTED_ISSUERS_FILE),
  });
}

/**
 * The secret that signs tokens, links and CSRF tokens. Workers have no part in that and start without it.
 * @throws ConfigError if it is missing
 */
export const requireJwtSecret = ({ NODE_ENV, jwtSecrets }: Pick<Config, 'NODE_ENV' | 'jwtSecrets'>): string =>
  requireSecret('JWT_SECRET', jwtSecrets[0], NODE_ENV === 'production');
