import { ATTEMPT_TIMEOUT_SECONDS, RESPONSE_EXCERPT_BYTES } from '../../domain/platform/webhooks/response';
import type { Egress } from '../../lib/egress/egress';
import { getEgressReason } from '../../lib/egress/failure';
import { cancelDelivery, planAttempt, recordAttempt } from '../../services/platform/webhooks/deliveries';
import type {
  AttemptPlan,
  AttemptResult,
  DeliveryProgress,
  DeliveryReference,
} from '../../services/platform/webhooks/deliveries';
import type { Platform } from '../../services/platform/platform';
import { withHeartbeat } from '../heartbeat';

const HEARTBEAT_MS = 5000;

/** Posts the signed body. A missing response is returned as a result; other errors are thrown. */
async function sendAttempt(egress: Egress, plan: AttemptPlan, tenant: string): Promise<AttemptResult> {
  const started = performance.now();
  const elapsedMs = (): number => Math.round(performance.now() - started);
  try {
    const { status, headers, bodyStart } = await egress.request({
      url: plan.url,
      method: 'POST',
      headers: plan.headers,
      body: plan.body,
      timeoutMs: ATTEMPT_TIMEOUT_SECONDS * 1000,
      maxBodyBytes: RESPONSE_EXCERPT_BYTES,
      requireHttps: true,
      additionalAllow: plan.exceptions,
      tenant,
    });
    const retryAfter = headers['retry-after'];
    return {
      status,
      error: null,
      response: bodyStart.toString('utf8'),
      retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined,
      durationMs: elapsedMs(),
    };
  } catch (error) {
    const reason = getEgressReason(error);
    // Nothing was sent while other look-ups of the organisation run: this is no attempt, and its slot becomes free.
    if (reason === undefined || reason === 'dns_busy') throw error;
    return { status: null, error: reason, response: null, retryAfter: undefined, durationMs: elapsedMs() };
  }
}

export const createDeliveryActivities = (platform: Platform, egress: Egress) => ({
  /**
   * Makes an attempt (1 for the first) and records it. A repetition after a crash posts again with the same webhook-id;
   * if the attempt is already recorded, it returns the recorded result.
   */
  attemptDelivery: ({ attempt, ...delivery }: DeliveryReference & { attempt: number }): Promise<DeliveryProgress> =>
    withHeartbeat(HEARTBEAT_MS, async () => {
      const planned = await planAttempt(platform, delivery, attempt);
      if ('settled' in planned) return planned.settled;
      const at = platform.clock.now();
      const result = await sendAttempt(egress, planned.plan, delivery.organisationId);
      return recordAttempt(platform, delivery, { number: attempt, at, ...result });
    }),

  /** Ends the pending delivery of a cancelled workflow. */
  cancelDelivery: (delivery: DeliveryReference): Promise<void> => cancelDelivery(platform, delivery),
});

export type DeliveryActivities = ReturnType<typeof createDeliveryActivities>;
