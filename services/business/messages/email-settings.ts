import { X509Certificate } from 'node:crypto';
import { conflictError, invalidFieldError, invalidRequestError } from '../../../domain/errors';
import type { FieldProblem } from '../../../domain/errors';
import type { MasterKey } from '../../../lib/crypto/master-key';
import type { SmtpSecurity, SmtpServer } from '../../../lib/mail/smtp-server';
import type { DocumentFormat } from '../../../models/business/documents/rendition';
import { EmailSettings } from '../../../models/business/messages/email-settings';
import type { EmailSettingsRecord } from '../../../models/business/messages/email-settings';
import type { Platform } from '../../platform/platform';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import type { BusinessCaller } from '../access/caller';
import { requireVersion } from '../../platform/transactions/versions';

/** The settings that a client sends. */
export interface EmailSettingsInput {
  host: string;
  port: number;
  security: SmtpSecurity;
  user: string | null;
  /** Undefined keeps the stored one; null removes it. */
  password: string | null | undefined;
  caCertificate: string | null;
  fromAddress: string;
  fromName: string | null;
  replyTo: string | null;
  bounceAddress: string | null;
  formats: DocumentFormat[];
}

/** Binds an encrypted password to its company. */
export const buildEmailPasswordAad = (organisationId: string): string => `email-password:${organisationId}`;

/** The e-mail settings of a company; null if it has none. */
export const findEmailSettings = (organisationId: string): Promise<EmailSettingsRecord | null> =>
  EmailSettings.findById(organisationId).lean<EmailSettingsRecord>();

/** @throws AppError 409 `email_not_configured` */
export async function requireEmailSettings(organisationId: string): Promise<EmailSettingsRecord> {
  const settings = await findEmailSettings(organisationId);
  if (settings === null)
    throw conflictError('email_not_configured', 'The company has no e-mail settings; set them first.', {
      routes: ['PUT /api/config/email'],
    });
  return settings;
}

const isCertificate = (pem: string): boolean => {
  try {
    return new X509Certificate(pem).ca;
  } catch {
    return false;
  }
};

/** The server that the settings describe, with the password in plain text. */
export const openSmtpServer = (masterKey: MasterKey, settings: EmailSettingsRecord): SmtpServer => ({
  host: settings.host,
  port: settings.port,
  security: settings.security,
  caCertificate: settings.caCertificate,
  credentials:
    settings.user === null || settings.password === null
      ? null
      : {
          user: settings.user,
          password: masterKey.open(settings.password, buildEmailPasswordAad(settings._id)).toString('utf8'),
        },
});

/** Whether a stored password would be sent to another server or for another user. */
const changesRecipientOfPassword = (current: EmailSettingsRecord, input: EmailSettingsInput): boolean =>
  current.host !== input.host ||
  current.port !== input.port ||
  current.user !== input.user ||
  current.security !== input.security ||
  current.caCertificate !== input.caCertificate;

function findProblems(current: EmailSettingsRecord | null, input: EmailSettingsInput): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const keepsPassword = input.password === undefined && current !== null && current.password !== null;
  if (keepsPassword && changesRecipientOfPassword(current, input))
    problems.push({
      field: 'password',
      problem: 'must be sent again when host, port, security, user or caCertificate changes',
    });
  const hasPassword = typeof input.password === 'string' || keepsPassword;
  if (hasPassword && input.user === null) problems.push({ field: 'user', problem: 'is required with a password' });
  if (!hasPassword && input.user !== null) problems.push({ field: 'password', problem: 'is required with a user' });
  if (input.caCertificate !== null && !isCertificate(input.caCertificate))
    problems.push({ field: 'caCertificate', problem: 'must be one certificate of an authority, PEM' });
  return problems;
}

/**
 * Creates or replaces the e-mail settings. The password is encrypted with the master key and never returned; it cannot be
 * sent to another server than the one it was set for.
 * @throws AppError 400; 412 if the settings have changed since
 */
export async function setEmailSettings(
  platform: Platform,
  caller: BusinessCaller,
  input: EmailSettingsInput,
  ifMatch: number | undefined,
): Promise<EmailSettingsRecord> {
  const { organisationId } = caller;
  return runTransaction(platform, async (unit) => {
    const session = unit.mongoSession;
    const current = await EmailSettings.findById(organisationId).session(session).lean<EmailSettingsRecord>();
    requireVersion(current?.version ?? 0, ifMatch);
    const problems = findProblems(current, input);
    const [first] = problems;
    if (problems.length > 1) throw invalidRequestError(problems);
    if (first !== undefined) throw invalidFieldError(first.field, first.problem);
    const password =
      typeof input.password === 'string'
        ? platform.masterKey.seal(input.password, buildEmailPasswordAad(organisationId))
        : input.password === null
          ? null
          : (current?.password ?? null);
    const record: EmailSettingsRecord = {
      ...input,
      _id: organisationId,
      organisationId,
      password,
      version: (current?.version ?? 0) + 1,
      updatedAt: platform.clock.now(),
    };
    await EmailSettings.replaceOne({ _id: organisationId }, record, { upsert: true, session });
    await unit.audit(caller, {
      actor: caller.id,
      action: 'email_settings.updated',
      subject: organisationId,
      fields: ['host', 'port', 'security', 'user', ...(input.password === undefined ? [] : ['password'])],
    });
    return record;
  });
}

/** Removes the settings with the password. Messages that are still queued fail. */
export async function removeEmailSettings(platform: Platform, caller: BusinessCaller): Promise<void> {
  const { organisationId } = caller;
  await runTransaction(platform, async (unit) => {
    const removed = await EmailSettings.deleteOne({ _id: organisationId }, { session: unit.mongoSession });
    if (removed.deletedCount === 0) return;
    await unit.audit(caller, { actor: caller.id, action: 'email_settings.removed', subject: organisationId });
  });
}
