import { z } from 'zod';
import { ConfigError } from './config-error';

const SECRETS_PROBLEM = 'accepts whsec_ and 24–64 bytes in base64; several separated by commas, of which all sign';

const isWebhookSecret = (text: string): boolean => {
  const [, base64] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? [];
  const { length } = Buffer.from(base64 ?? '', 'base64');
  return length >= 24 && length <= 64;
};

const hasCredentials = (url: string): boolean => {
  if (!URL.canParse(url)) return false;
  const { username, password } = new URL(url);
  return username !== '' || password !== '';
};

/** Where newly signed heads of audit chains are posted. */
export const auditHeadWebhookVariables = {
  AUDIT_HEAD_WEBHOOK_URL: z
    .url({ protocol: /^https?$/ })
    .refine((url) => !hasCredentials(url), 'accepts an address without user name and password')
    .optional(),
  /** Standard Webhooks secrets, `whsec_…`; several separated by commas sign while one is replaced. */
  AUDIT_HEAD_WEBHOOK_SECRET: z.string().min(1).optional(),
  AUDIT_HEAD_WEBHOOK_SECRET_FILE: z.string().optional(),
};

/** The receiver of signed heads of audit chains, set by the operator. */
export interface AuditHeadWebhook {
  readonly url: string;
  /** At least one; each adds a signature. */
  readonly secrets: readonly string[];
}

interface AuditHeadWebhookSettings {
  readonly AUDIT_HEAD_WEBHOOK_URL?: string | undefined;
  readonly AUDIT_HEAD_WEBHOOK_SECRET?: string | undefined;
}

/**
 * The receiver of signed heads; undefined if none is set.
 * @throws ConfigError if address or secret is missing, or a secret has another form than Standard Webhooks requires
 */
export function readAuditHeadWebhook(settings: AuditHeadWebhookSettings): AuditHeadWebhook | undefined {
  const { AUDIT_HEAD_WEBHOOK_URL: url, AUDIT_HEAD_WEBHOOK_SECRET: text } = settings;
  if (url === undefined && text === undefined) return undefined;
  if (url === undefined || text === undefined)
    throw new ConfigError('AUDIT_HEAD_WEBHOOK_URL and AUDIT_HEAD_WEBHOOK_SECRET: set both or neither.');
  const secrets = text.split(/[,\r\n]+/).map((part) => part.trim());
  if (!secrets.every(isWebhookSecret)) throw new ConfigError(`AUDIT_HEAD_WEBHOOK_SECRET: ${SECRETS_PROBLEM}.`);
  return { url, secrets };
}
