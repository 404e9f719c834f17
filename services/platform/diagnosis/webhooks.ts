import { HOUR_MS } from '../../../domain/durations';
import { WebhookEndpoint } from '../../../models/platform/webhooks/webhook-endpoint';
import type { Platform } from '../platform';
import { MAX_EXAMPLES, reportIf } from './problem';
import type { Problem } from './problem';

/** Receivers restart and deploy: a failing endpoint is reported after this time. */
const FAILING_MS = HOUR_MS;

type EndpointState = { _id: string; failingSince: Date | null; disabledAt: Date | null };

async function findEndpoints(filter: object, since: 'failingSince' | 'disabledAt') {
  const present = { deletedAt: null, ...filter };
  const [count, first] = await Promise.all([
    WebhookEndpoint.countDocuments(present),
    WebhookEndpoint.find(present, { failingSince: 1, disabledAt: 1 })
      .sort({ [since]: 1 })
      .limit(MAX_EXAMPLES)
      .lean<EndpointState[]>(),
  ]);
  return { count, since: first[0]?.[since] ?? null, examples: first.map(({ _id }) => _id) };
}

/** Webhooks whose deliveries fail, and those that were disabled because of that. */
export async function diagnoseWebhooks({ clock }: Platform): Promise<Problem[]> {
  const failingBefore = new Date(clock.now().getTime() - FAILING_MS);
  const [failing, disabled] = await Promise.all([
    findEndpoints({ disabledAt: null, failingSince: { $lt: failingBefore } }, 'failingSince'),
    findEndpoints({ disabledAt: { $ne: null }, disabledReason: { $ne: null } }, 'disabledAt'),
  ]);
  return [
    ...reportIf({
      area: 'deliveries',
      summary: 'All deliveries to a webhook have failed for more than an hour',
      ...failing,
      remedy:
        'Look at the last attempts (GET /v1/webhooks/:id/deliveries or /api/admin/webhooks/:id/deliveries) and tell its organisation. Attempts continue for three days; POST …/recover delivers again afterwards.',
    }),
    ...reportIf({
      area: 'deliveries',
      summary: 'A webhook was disabled because its deliveries failed or its receiver answered 410',
      ...disabled,
      remedy: 'Its organisation enables it again and then delivers what it missed: POST /v1/webhooks/:id/recover.',
    }),
  ];
}
