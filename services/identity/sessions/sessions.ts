import { HOUR_MS } from '../../../domain/durations';
import type { ExpectedDetails } from '../../../domain/identity/sessions/expected-details';
import type { Feature } from '../../../domain/identity/sessions/features';
import { DEFAULT_DEFINITION, pickSettings } from '../../../domain/identity/sessions/session-template';
import { newId } from '../../../lib/ids';
import { Session } from '../../../models/identity/sessions/session';
import type { SessionRecord } from '../../../models/identity/sessions/session';
import { runIdempotently } from '../../platform/transactions/idempotency';
import type { IdempotentUse } from '../../platform/transactions/idempotency';
import { withReservedNumber } from '../../platform/transactions/number-reservations';
import { toScope } from '../../platform/platform';
import type { Platform, Scope } from '../../platform/platform';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import { requireSandboxMetadata } from '../checks/sandbox-values';
import { findFirstLink, issueFirstLink } from '../capture/links';
import type { IssuedLink } from '../capture/links';
import { describeSession } from './session-index';
import { getSession } from './session-store';
import { beginSession } from './session-transitions';
import { findTemplateForSession } from './session-templates';
import type { Template } from './session-templates';

export interface NewSession {
  /** The template it starts with @default the organisation's default template */
  templateId?: string | undefined;
  features?: readonly Feature[] | undefined;
  externalId?: string | undefined;
  metadata?: Record<string, unknown> | undefined;
  callbackUrl?: string | undefined;
  language?: string | undefined;
  expected?: ExpectedDetails | undefined;
  contact?: { email?: string | undefined; phone?: string | undefined } | undefined;
}

/** A new session in status `not_started`, not yet inserted; options that were left out have their defaults. */
export async function draftSession(
  platform: Platform,
  scope: Scope,
  actor: string,
  number: number,
  input: NewSession,
  template: Template | null,
): Promise<SessionRecord> {
  const now = platform.clock.now();
  const definition = template?.definition ?? DEFAULT_DEFINITION;
  const features = [...new Set<Feature>(input.features ?? definition.features)];
  const settings = pickSettings(definition);
  const _id = newId('ses');
  const externalId = input.externalId ?? null;
  return {
    _id,
    ...toScope(scope),
    number,
    status: 'not_started',
    features,
    templateId: template?.record._id ?? null,
    templateVersion: template?.version ?? null,
    externalId,
    ...(await describeSession(platform, scope, { _id, number, externalId })),
    metadata: input.metadata ?? null,
    callbackUrl: input.callbackUrl ?? definition.callbackUrl,
    language: input.language ?? null,
    expected: input.expected ?? null,
    contact: input.contact ?? null,
    country: input.expected?.country ?? null,
    settings,
    steps: features.map((feature) => ({ feature, attempts: [] })),
    decision: null,
    reviews: [],
    opening: 1,
    followedBy: 'verification',
    imported: null,
    version: 1,
    createdBy: actor,
    createdAt: now,
    expiresAt: new Date(now.getTime() + settings.linkTtlHours * HOUR_MS),
    startedAt: null,
    lastActivityAt: now,
    reviewSince: null,
    finishedAt: null,
    approvalExpiresAt: null,
    retainUntil: null,
    deletedAt: null,
  };
}

/** The options that were sent, by their names in the API: the audit log is part of it. */
const listOptionNames = (input: NewSession): string[] =>
  Object.entries(input)
    .filter(([, value]) => value !== undefined)
    .map(([name]) => (name === 'templateId' ? 'workflowId' : name));

/** Creates a session with the next number of its organisation and mode; the numbers have no gaps. */
export const withSessionNumber = <T>(
  platform: Platform,
  scope: Scope,
  create: (number: number) => Promise<T>,
): Promise<T> =>
  withReservedNumber(
    platform,
    {
      organisationId: scope.organisationId,
      name: `session.${scope.mode}`,
      isUsed: async (number) => (await Session.exists({ ...toScope(scope), number })) !== null,
    },
    create,
  );

export interface CreatedSession {
  session: SessionRecord;
  /** Null for a session that the capture page cannot complete. */
  link: IssuedLink | null;
}

/** Creates a session with its link, and starts the workflow that waits for its steps. */
export function createSession(
  platform: Platform,
  scope: Scope,
  actor: string,
  input: NewSession,
  use: IdempotentUse | undefined,
): Promise<CreatedSession> {
  return runIdempotently<CreatedSession>(
    platform,
    use,
    async (claim) => {
      requireSandboxMetadata(scope, input.metadata);
      const template = await findTemplateForSession(scope, input.templateId);
      return withSessionNumber(platform, scope, async (number) => {
        const record = await draftSession(platform, scope, actor, number, input, template);
        return runTransaction(platform, async (unit) => {
          await beginSession(unit, record);
          const link = await issueFirstLink(unit, record, actor);
          await unit.audit(scope, {
            actor,
            action: 'session.created',
            subject: record._id,
            fields: listOptionNames(input),
          });
          await claim(unit, record._id, 201);
          return { session: record, link };
        });
      });
    },
    async (id) => {
      const session = await getSession(scope, id);
      return { session, link: await findFirstLink(platform, session) };
    },
  );
}
