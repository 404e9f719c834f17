import { z } from 'zod';
import { AppError, invalidFieldError } from '../../../domain/errors';
import { MAX_FILE_BYTES, MAX_FILE_SIZE } from '../../../domain/file-size';
import { CHECK_KINDS } from '../../../domain/identity/checks/checks';
import { FEATURES } from '../../../domain/identity/sessions/features';
import { RISK_ACTIONS, RISK_CODES, VERDICTS } from '../../../domain/identity/checks/risks';
import { SESSION_STATUSES } from '../../../domain/identity/sessions/session';
import { SHARE_VERSION } from '../../../domain/identity/sharing/sharing';
import type { SharedFile, SharedSession } from '../../../domain/identity/sharing/sharing';
import { sha256Hex } from '../../../lib/crypto/secrets';
import { FILE_TYPES, identifyFile } from '../../../lib/files/identify';

/** Media type of a bundle. */
export const BUNDLE_CONTENT_TYPE = 'application/vnd.vouch.share+json';
/** Maximum size of an upload, because a bundle is imported by one. */
const MAX_BUNDLE_BYTES = MAX_FILE_BYTES;

const FORMAT = 'vouch-share';

const bundleSchema = z.strictObject({
  format: z.literal(FORMAT),
  version: z.literal(SHARE_VERSION),
  /** JWS (ES256) of everything except the files, whose hashes it contains. */
  manifest: z.string(),
  /** Files in base64 by their SHA-256. */
  files: z.record(z.string().regex(/^[0-9a-f]{64}$/), z.base64()),
});

const instantSchema = z.iso.datetime();
const statusSchema = z.enum(SESSION_STATUSES);
const verdictSchema = z.enum(VERDICTS);
const actionSchema = z.enum(RISK_ACTIONS);
const riskCodeSchema = z.enum(RISK_CODES);
const detailsSchema = z.looseObject({});

const attemptSchema = z.looseObject({
  checkId: z.string(),
  at: instantSchema,
  origin: z.enum(['client', 'follow_on']),
  outcome: z.enum(['processing', 'failed', ...VERDICTS]),
  risks: z.array(z.strictObject({ code: riskCodeSchema, action: actionSchema })),
  superseded: z.boolean(),
});

const checkSchema = z.strictObject({
  id: z.string(),
  kind: z
    .string()
    .refine((kind) => CHECK_KINDS.some((known) => known === kind), 'is a check this version does not know'),
  origin: z.enum(['client', 'follow_on']),
  supplementary: z.boolean(),
  inputs: z.array(z.strictObject({ field: z.string(), evidenceId: z.string() })),
  status: z.enum(['completed', 'failed']),
  verdict: verdictSchema.nullable(),
  risks: z.array(
    z.looseObject({
      code: riskCodeSchema,
      action: actionSchema,
      severity: z.string(),
      feature: z.string(),
      message: z.string(),
    }),
  ),
  result: detailsSchema.nullable(),
  failure: z.string().nullable(),
  createdAt: instantSchema,
  completedAt: instantSchema.nullable(),
});

/** Structure of a manifest; results are stored as their engine produced them. */
const sharedSessionSchema = z.strictObject({
  version: z.literal(SHARE_VERSION),
  mode: z.enum(['live', 'test']),
  sessionId: z.string(),
  status: statusSchema,
  features: z.array(z.enum(FEATURES)).min(1),
  language: z.string().nullable(),
  country: z.string().nullable(),
  // Bundles of earlier versions contain what their sender expected, which is ignored.
  expected: detailsSchema.nullish(),
  contact: z.strictObject({ email: z.string().optional(), phone: z.string().optional() }).nullable(),
  decision: z
    .strictObject({
      outcome: statusSchema,
      reasons: z.array(riskCodeSchema),
      decidedBy: z.enum(['rules', 'reviewer']),
      at: instantSchema,
    })
    .nullable(),
  startedAt: instantSchema.nullable(),
  finishedAt: instantSchema.nullable(),
  steps: z.array(z.looseObject({ feature: z.enum(FEATURES), attempts: z.array(attemptSchema) })),
  checks: z.array(checkSchema),
  files: z.array(
    z.strictObject({
      evidenceId: z.string(),
      checkId: z.string(),
      field: z.string(),
      contentType: z.enum(FILE_TYPES),
      sha256: z.string().regex(/^[0-9a-f]{64}$/),
    }),
  ),
  consent: z.strictObject({ text: z.string().min(1), at: instantSchema }),
});

const isSharedSession = (value: unknown): value is SharedSession => sharedSessionSchema.safeParse(value).success;

/**
 * Parses the content of a manifest signed by an accepted issuer.
 * @throws AppError 400 if this version does not support it
 */
export function parseSharedSession(value: unknown): SharedSession {
  if (isSharedSession(value)) return value;
  throw invalidFieldError('bundle', 'has content that this version does not support');
}

/**
 * Builds the file that transfers a share to another installation.
 * @throws AppError 413 `bundle_too_large`
 */
export function writeBundle(manifest: string, files: ReadonlyMap<string, Buffer>): Buffer {
  const encoded = Object.fromEntries([...files].map(([sha256, body]) => [sha256, body.toString('base64')]));
  const bundle = Buffer.from(JSON.stringify({ format: FORMAT, version: SHARE_VERSION, manifest, files: encoded }));
  if (bundle.length > MAX_BUNDLE_BYTES) {
    throw new AppError(
      'bundle_too_large',
      413,
      `A bundle may have at most ${MAX_FILE_SIZE}; share the session without images.`,
    );
  }
  return bundle;
}

export interface Bundle {
  manifest: string;
  /** Files by their SHA-256. */
  files: ReadonlyMap<string, Buffer>;
}

/** Reads a bundle. Its content must not be trusted before the manifest is verified. @throws AppError 400 */
export function readBundle(file: Buffer): Bundle {
  let content: unknown;
  try {
    content = JSON.parse(file.toString('utf8'));
  } catch {
    throw invalidFieldError('bundle', 'is not a bundle');
  }
  const parsed = bundleSchema.safeParse(content);
  if (!parsed.success) throw invalidFieldError('bundle', 'is not a bundle');
  const files = Object.entries(parsed.data.files).map(
    ([sha256, body]) => [sha256, Buffer.from(body, 'base64')] as const,
  );
  return { manifest: parsed.data.manifest, files: new Map(files) };
}

/** The bytes of a file of the manifest. @throws AppError 400 if they are missing, or differ from it in hash or type */
export function getBundleFile({ files }: Bundle, { sha256, contentType }: SharedFile): Buffer {
  const body = files.get(sha256);
  if (body === undefined || sha256Hex(body) !== sha256) {
    throw invalidFieldError('bundle', 'a file is missing or differs from the signed one');
  }
  if (identifyFile(body)?.type !== contentType) {
    throw invalidFieldError('bundle', `a file is not of the type ${contentType} that the manifest states`);
  }
  return body;
}
