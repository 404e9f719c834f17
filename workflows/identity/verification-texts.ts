import type { CheckKind } from '../../domain/identity/checks/checks';
import type { Feature } from '../../domain/identity/sessions/features';
import { listAwaitedSteps } from '../../domain/identity/sessions/progress';
import type { EventDelivery, SessionProgress, StepProgress } from '../../domain/identity/sessions/progress';
import { workflowIds } from '../contracts';

/**
 * Texts about a session for operators, shown in the Temporal UI. They name steps, codes and times, never personal data:
 * the payload codec leaves them readable.
 */

/** What the person provides for each step. */
const STEP_NAMES: Readonly<Record<Feature, string>> = {
  id: 'document',
  liveness: 'selfie',
  face_match: 'faces',
  poa: 'proof of address',
  age: 'photo for the age',
  aml: 'watch lists',
  database: 'personal details',
};

const CHECK_NAMES: Readonly<Record<CheckKind, string>> = {
  id_verification: 'Check the document',
  liveness: 'Check the selfie',
  face_match: 'Compare the faces',
  age: 'Estimate the age',
  face_search: 'Search the face',
  database_validation: 'Validate the personal details',
  proof_of_address: 'Check the proof of address',
  aml_screening: 'Screen against the watch lists',
};

/** Summary of the activity that runs a check. */
export const describeCheck = (kind: CheckKind): string => CHECK_NAMES[kind];

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Such as `29 Nov 2026, 16:41 UTC`. */
export function formatTime(iso: string): string {
  const time = new Date(iso);
  const month = MONTHS[time.getUTCMonth()] ?? '';
  return `${time.getUTCDate()} ${month} ${time.getUTCFullYear()}, ${time.toISOString().slice(11, 16)} UTC`;
}

/** Summary of the timer that ends an idle session, such as `Waiting for document, selfie until 29 Nov 2026, 16:41 UTC`. */
export const describeWait = (progress: SessionProgress, until: string): string =>
  `Waiting for ${describeAwaited(progress)} until ${formatTime(until)}`;

function describeAwaited({ steps }: SessionProgress): string {
  const awaited = listAwaitedSteps(steps).map((feature) => STEP_NAMES[feature]);
  return awaited.length === 0 ? 'the person' : awaited.join(', ');
}

/** The sentence on what the session waits for; undefined for one that is over. */
function describeNext(progress: SessionProgress): string | undefined {
  if (progress.final) return undefined;
  if (progress.checks.length > 0)
    return `Running: ${progress.checks.map(({ checkId, kind }) => `${describeCheck(kind)} (\`${checkId}\`)`).join(', ')}`;
  if (progress.idleUntil !== null) return describeWait(progress, progress.idleUntil);
  return progress.status === 'in_review' ? 'Waiting for a reviewer' : undefined;
}

const describeStep = ({ feature, status, risks }: StepProgress): string =>
  `- ${feature}: **${status}**${risks.length === 0 ? '' : ` (${risks.map((code) => `\`${code}\``).join(', ')})`}`;

/** The workflow in which each event is delivered to a webhook. */
const describeDelivery = ({ event, webhookId }: EventDelivery): string =>
  `- \`${event}\` in \`${workflowIds.webhookDeliveries(webhookId)}\``;

/**
 * The current details of a session in Markdown: status, what it waits for, reasons, its steps, and the workflows that
 * deliver its events.
 */
export function describeProgress(progress: SessionProgress, deliveries: readonly EventDelivery[]): string {
  const next = describeNext(progress);
  const { reasons, steps, status } = progress;
  return [
    `**${status}**`,
    ...(next === undefined ? [] : [next]),
    ...(reasons.length === 0 ? [] : [`Reasons: ${reasons.map((code) => `\`${code}\``).join(', ')}`]),
    ...(steps.length === 0 ? [] : [steps.map(describeStep).join('\n')]),
    ...(deliveries.length === 0 ? [] : [['Webhooks:', ...deliveries.map(describeDelivery)].join('\n')]),
  ].join('\n\n');
}
