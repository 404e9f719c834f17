import { HOUR_MS } from '../../../domain/durations';
import { hasExceededFailureLimit, NO_FAILURES, recordFailure } from '../../../domain/platform/webhooks/endpoint-health';
import type { FailureRun } from '../../../domain/platform/webhooks/endpoint-health';
import { classifyResponse } from '../../../domain/platform/webhooks/response';
import { computeRetryDelaySeconds, parseRetryAfter } from '../../../domain/platform/webhooks/retry-schedule';
import type { HeaderValue } from '../../../domain/platform/webhooks/retry-schedule';
import { Metrics } from '../../../lib/metrics/metrics';
import { WebhookDelivery } from '../../../models/platform/webhooks/webhook-delivery';
import type { WebhookDeliveryRecord } from '../../../models/platform/webhooks/webhook-delivery';
import { WebhookEndpoint } from '../../../models/platform/webhooks/webhook-endpoint';
import type { WebhookEndpointRecord } from '../../../models/platform/webhooks/webhook-endpoint';
import type { WebhookReference } from '../../../workflows/contracts';
import type { Platform } from '../platform';
import { runTransaction } from '../transactions/unit-of-work';
import type { UnitOfWork } from '../transactions/unit-of-work';
import { buildPendingFilter } from './due-deliveries';

/** Result of an attempt: a response, or the reason why there is none. */
export interface AttemptResult {
  status: number | null;
  error: string | null;
  response: string | null;
  /** The unparsed `Retry-After` headers. */
  retryAfter: HeaderValue;
  durationMs: number;
}

/** An attempt that was made. */
export interface Attempt extends AttemptResult {
  deliveryId: string;
  number: number;
  at: Date;
  /** The URL that it was sent to, which may have been replaced meanwhile. */
  url: string;
}

/** State of a delivery after an attempt. */
interface Outcome {
  status: 'pending' | 'succeeded' | 'failed';
  reason: NonNullable<WebhookDeliveryRecord['reason']> | null;
  retryInSeconds: number;
}

/**
 * The state of a delivery after an attempt.
 * @param isCurrentUrl false if the webhook has another URL by now: what the former one asks for does not concern it
 */
function determineOutcome(attempt: Attempt, isCurrentUrl: boolean, nowMs: number): Outcome {
  const verdict = attempt.status === null ? 'rejected' : classifyResponse(attempt.status);
  if (verdict === 'accepted') return { status: 'succeeded', reason: null, retryInSeconds: 0 };
  if (verdict === 'gone' && isCurrentUrl) return { status: 'failed', reason: 'endpoint_gone', retryInSeconds: 0 };
  const requestedDelay = verdict === 'busy' && isCurrentUrl ? parseRetryAfter(attempt.retryAfter, nowMs) : undefined;
  const delay = computeRetryDelaySeconds(attempt.number, Math.random(), requestedDelay);
  return delay === null
    ? { status: 'failed', reason: 'attempts_exhausted', retryInSeconds: 0 }
    : { status: 'pending', reason: null, retryInSeconds: delay };
}

async function disableEndpoint(
  unit: UnitOfWork,
  endpoint: WebhookEndpointRecord,
  reason: 'gone' | 'failing',
  now: Date,
): Promise<void> {
  await WebhookEndpoint.updateOne(
    { _id: endpoint._id, disabledAt: null },
    { $set: { disabledAt: now, disabledReason: reason } },
    { session: unit.mongoSession },
  );
  await unit.audit(endpoint, {
    actor: 'system',
    action: 'webhook.disabled',
    subject: endpoint._id,
    fields: ['disabledAt', 'disabledReason'],
    reason,
  });
}

/** Minimum interval between two updates of an endpoint during a run of failures, to avoid contention on its row. */
const FAILURE_UPDATE_INTERVAL_MS = HOUR_MS;

/** Whether the stored run need not be written, since it has hardly changed. */
function isRecentlyUpdated(before: FailureRun, after: FailureRun, now: Date): boolean {
  if (before.failingSince?.getTime() !== after.failingSince?.getTime()) return false;
  if (before.lastFailureAt === null) return after.lastFailureAt === null;
  return now.getTime() - before.lastFailureAt.getTime() < FAILURE_UPDATE_INTERVAL_MS;
}

/**
 * Updates the endpoint's run of failures. Disables the endpoint after too long a run or a 410 response.
 * @param outcomes of attempts at its present URL
 */
async function updateEndpointHealth(
  unit: UnitOfWork,
  endpoint: WebhookEndpointRecord,
  outcomes: readonly Outcome[],
  now: Date,
): Promise<void> {
  if (outcomes.length === 0 || endpoint.deletedAt instanceof Date || endpoint.disabledAt instanceof Date) return;
  if (outcomes.some(({ reason }) => reason === 'endpoint_gone')) return disableEndpoint(unit, endpoint, 'gone', now);
  const before = { failingSince: endpoint.failingSince ?? null, lastFailureAt: endpoint.lastFailureAt ?? null };
  let run: FailureRun = before;
  for (const { status } of outcomes) run = status === 'succeeded' ? NO_FAILURES : recordFailure(run, now);
  if (hasExceededFailureLimit(run, now)) return disableEndpoint(unit, endpoint, 'failing', now);
  if (!isRecentlyUpdated(before, run, now))
    await WebhookEndpoint.updateOne({ _id: endpoint._id }, { $set: run }, { session: unit.mongoSession });
}

/** The write that records an attempt, unless the delivery has ended or the attempt is already recorded. */
function buildRecordWrite(webhook: WebhookReference, attempt: Attempt, outcome: Outcome, now: Date) {
  const { deliveryId, number, at, durationMs, status, error, response } = attempt;
  const isOver = outcome.status !== 'pending';
  return {
    updateOne: {
      filter: { ...buildPendingFilter(webhook), _id: deliveryId, 'attempts.number': { $ne: number } },
      update: {
        $push: { attempts: { number, at, durationMs, status, error, response } },
        $set: {
          status: outcome.status,
          reason: outcome.reason,
          nextAttemptAt: isOver ? null : new Date(now.getTime() + outcome.retryInSeconds * 1000),
          completedAt: isOver ? now : null,
        },
      },
    },
  };
}

/** Counts attempts and the time that their receiver took. */
function countAttempts(platform: Platform, recorded: readonly { attempt: Attempt; outcome: Outcome }[]): void {
  const { webhookAttempts, webhookAttemptDuration } = platform.singletons.get(Metrics).instruments;
  for (const { attempt, outcome } of recorded) {
    webhookAttempts.inc({ outcome: outcome.status });
    webhookAttemptDuration.observe(attempt.durationMs / 1000);
  }
}

const findEndpoint = (unit: UnitOfWork, { webhookId: _id, organisationId, mode }: WebhookReference) =>
  WebhookEndpoint.findOne({ _id, organisationId, mode })
    .session(unit.mongoSession)
    .lean<WebhookEndpointRecord>()
    .exec();

/**
 * Records attempts of deliveries to one webhook, each once, and updates the deliveries and the webhook in the same
 * transaction.
 * @returns the state of each delivery after its attempt
 */
export async function recordAttempts(
  platform: Platform,
  webhook: WebhookReference,
  attempts: readonly Attempt[],
): Promise<Outcome['status'][]> {
  const now = platform.clock.now();
  return runTransaction(platform, async (unit) => {
    const endpoint = await findEndpoint(unit, webhook);
    const recorded = attempts.map((attempt) => {
      const isCurrentUrl = endpoint === null || attempt.url === endpoint.url;
      return { attempt, isCurrentUrl, outcome: determineOutcome(attempt, isCurrentUrl, now.getTime()) };
    });
    const writes = recorded.map(({ attempt, outcome }) => buildRecordWrite(webhook, attempt, outcome, now));
    const { matchedCount } = await WebhookDelivery.bulkWrite(writes, { session: unit.mongoSession });
    const current = recorded.filter(({ isCurrentUrl }) => isCurrentUrl).map(({ outcome }) => outcome);
    if (endpoint !== null && matchedCount > 0) await updateEndpointHealth(unit, endpoint, current, now);
    unit.afterCommit(() => countAttempts(platform, recorded));
    return recorded.map(({ outcome }) => outcome.status);
  });
}

interface WaitingAttempt {
  attempt: Attempt;
  resolve: (status: Outcome['status']) => void;
  reject: (error: unknown) => void;
}

/** An attempt that has ended waits at most this long for others that are in progress. */
const MAX_GATHER_MS = 50;

/**
 * Records the attempts of one webhook in groups: as soon as none is in progress any more, or while others still wait for
 * their receiver, those that have ended meanwhile.
 */
export class AttemptRecorder {
  private waiting: WaitingAttempt[] = [];
  private inProgress = 0;
  private isRecording = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly platform: Platform,
    private readonly webhook: WebhookReference,
  ) {}

  /**
   * Makes an attempt and records it.
   * @param make rejects if the attempt was not made; nothing is recorded then
   * @returns the attempt, and the state of its delivery once it is recorded
   */
  async record(make: () => Promise<Attempt>): Promise<{ attempt: Attempt; status: Outcome['status'] }> {
    this.inProgress += 1;
    let status: Promise<Outcome['status']>;
    let attempt: Attempt;
    try {
      attempt = await make();
      status = new Promise((resolve, reject) => this.waiting.push({ attempt, resolve, reject }));
    } finally {
      this.inProgress -= 1;
      this.schedule();
    }
    return { attempt, status: await status };
  }

  private schedule(): void {
    if (this.waiting.length === 0 || this.isRecording) return;
    if (this.inProgress === 0) void this.recordWaiting();
    else this.timer ??= setTimeout(() => void this.recordWaiting(), MAX_GATHER_MS);
  }

  private async recordWaiting(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.isRecording = true;
    const batch = this.waiting.splice(0);
    const attempts = batch.map(({ attempt }) => attempt);
    await recordAttempts(this.platform, this.webhook, attempts).then(
      (statuses) => statuses.forEach((status, index) => batch[index]?.resolve(status)),
      (error: unknown) => batch.forEach(({ reject }) => reject(error)),
    );
    this.isRecording = false;
    this.schedule();
  }
}
