import { EXPORT_FORMATS } from '../../domain/business/exports/exports';
import { MESSAGE_KINDS } from '../../domain/business/messages/message';
import { CHECKS } from '../../domain/identity/checks/checks';

/** A metric as Prometheus knows it. Labels have few values and never ids or personal data. */
export interface MetricDefinition {
  type: 'counter' | 'gauge' | 'histogram';
  name: `vouch_${string}`;
  /** A sentence for the reference and for `# HELP`. */
  help: string;
  labels: readonly string[];
  /**
   * All values of the labels of a counter, if they are few: its series begin at 0. Otherwise Prometheus, which only sees
   * increases of a series, would miss the first event of a process.
   */
  values?: Readonly<Record<string, readonly string[]>>;
  /** Upper bounds of a histogram, in seconds. */
  buckets?: readonly number[];
}

/** Requests and calls that answer within a second. */
const SHORT = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;
/** Work in the background, which may wait for a queue or a retry. */
const LONG = [0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800] as const;

/** What a process counts about its own work. */
export const PROCESS_METRICS = {
  memoryLimit: {
    type: 'gauge',
    name: 'vouch_memory_limit_bytes',
    help: 'Memory that the process may use: that of its container, or of the machine.',
    labels: [],
  },
  httpRequests: {
    type: 'counter',
    name: 'vouch_http_requests_total',
    help: 'HTTP requests by route template and status; `unmatched` stands for paths without a route, `aborted` for a client that disconnected before the end of the response, `incomplete` for a file that could not be read to its end.',
    labels: ['method', 'route', 'status'],
  },
  httpDuration: {
    type: 'histogram',
    name: 'vouch_http_request_duration_seconds',
    help: 'Time from the head of an HTTP request to the end of its response.',
    labels: ['method', 'route'],
    buckets: SHORT,
  },
  httpInProgress: {
    type: 'gauge',
    name: 'vouch_http_requests_in_progress',
    help: 'HTTP requests that are being answered.',
    labels: [],
  },
  sessionTransitions: {
    type: 'counter',
    name: 'vouch_session_transitions_total',
    help: 'Sessions that entered a status.',
    labels: ['status'],
  },
  checks: {
    type: 'counter',
    name: 'vouch_checks_total',
    help: 'Ended checks by kind and outcome: a verdict, or `failed` for those that could not be run.',
    labels: ['kind', 'outcome'],
    values: { kind: Object.keys(CHECKS), outcome: ['approved', 'review', 'declined', 'failed'] },
  },
  checkDuration: {
    type: 'histogram',
    name: 'vouch_check_duration_seconds',
    help: 'Time from the submission of a check to its result, including queues and retries.',
    labels: ['kind'],
    buckets: LONG,
  },
  modelSeconds: {
    type: 'counter',
    name: 'vouch_model_seconds_total',
    help: 'Time in which a neural network ran.',
    labels: ['model'],
  },
  modelRuns: {
    type: 'counter',
    name: 'vouch_model_runs_total',
    help: 'Runs of a neural network; a document needs several.',
    labels: ['model'],
  },
  outboxDispatches: {
    type: 'counter',
    name: 'vouch_outbox_dispatches_total',
    help: 'Outbox rows by outcome: `dispatched`, `failed` (rejected by Temporal), `unavailable` (Temporal did not respond) or `left` (to the relay).',
    labels: ['outcome'],
  },
  webhookAttempts: {
    type: 'counter',
    name: 'vouch_webhook_attempts_total',
    help: 'Attempts of webhook deliveries by outcome of the delivery: `succeeded`, `failed` (given up) or `pending` (repeated).',
    labels: ['outcome'],
    values: { outcome: ['succeeded', 'failed', 'pending'] },
  },
  webhookAttemptDuration: {
    type: 'histogram',
    name: 'vouch_webhook_attempt_duration_seconds',
    help: 'Time until a receiver of webhooks responded, or did not.',
    labels: [],
    buckets: SHORT,
  },
  renditions: {
    type: 'counter',
    name: 'vouch_renditions_total',
    help: 'Files rendered on request, by collection and outcome (`stored` or `failed`).',
    labels: ['collection', 'outcome'],
    values: { collection: ['renditions', 'evidence_renditions'], outcome: ['stored', 'failed'] },
  },
  renditionDuration: {
    type: 'histogram',
    name: 'vouch_rendition_duration_seconds',
    help: 'Time from the request of a rendition to its file.',
    labels: ['collection'],
    buckets: LONG,
  },
  exports: {
    type: 'counter',
    name: 'vouch_exports_total',
    help: 'Ended exports by format and outcome (`completed` or `failed`).',
    labels: ['format', 'outcome'],
    values: { format: EXPORT_FORMATS, outcome: ['completed', 'failed'] },
  },
  messages: {
    type: 'counter',
    name: 'vouch_messages_total',
    help: 'E-mail messages by kind and outcome (`sent`, `failed` or `bounced`).',
    labels: ['kind', 'outcome'],
    values: { kind: MESSAGE_KINDS, outcome: ['sent', 'failed', 'bounced'] },
  },
  exportDuration: {
    type: 'histogram',
    name: 'vouch_export_duration_seconds',
    help: 'Time from the request of an export to its file.',
    labels: ['format'],
    buckets: LONG,
  },
} as const satisfies Record<string, MetricDefinition>;

/** What the API reads about the whole installation at each scrape: every replica returns the same values. */
export const INSTALLATION_METRICS = {
  taskQueuePollers: {
    type: 'gauge',
    name: 'vouch_task_queue_pollers',
    help: 'Pollers of a task queue that Temporal has seen within the last minutes; 0: no worker runs the pool.',
    labels: ['pool', 'task'],
  },
  taskQueueBacklog: {
    type: 'gauge',
    name: 'vouch_task_queue_backlog',
    help: 'Tasks that no worker has received yet, as Temporal estimates them.',
    labels: ['pool', 'task'],
  },
  taskQueueAge: {
    type: 'gauge',
    name: 'vouch_task_queue_backlog_age_seconds',
    help: 'Age of the oldest task that no worker has received yet.',
    labels: ['pool', 'task'],
  },
  taskQueueAdded: {
    type: 'gauge',
    name: 'vouch_task_queue_added_per_second',
    help: 'Tasks added to the queue per second, over the last half minute.',
    labels: ['pool', 'task'],
  },
  taskQueueDispatched: {
    type: 'gauge',
    name: 'vouch_task_queue_dispatched_per_second',
    help: 'Tasks handed to workers per second, over the last half minute.',
    labels: ['pool', 'task'],
  },
  outboxPending: {
    type: 'gauge',
    name: 'vouch_outbox_pending',
    help: 'Outbox rows that Temporal has not accepted yet; counted up to 10,000.',
    labels: [],
  },
  outboxLag: {
    type: 'gauge',
    name: 'vouch_outbox_lag_seconds',
    help: 'Time for which the relay is overdue with an outbox row; 0 if none is due.',
    labels: [],
  },
  processes: {
    type: 'gauge',
    name: 'vouch_processes',
    help: 'Running processes of the service by name, from their heartbeats.',
    labels: ['name'],
  },
  webhooksFailing: {
    type: 'gauge',
    name: 'vouch_webhooks_failing',
    help: 'Enabled webhooks whose latest attempts failed.',
    labels: [],
  },
  listAge: {
    type: 'gauge',
    name: 'vouch_watch_list_age_seconds',
    help: 'Time since a watch list of the installation was last confirmed to be the newest. `organisations` stands for the oldest list of any organisation.',
    labels: ['list'],
  },
  listsHeld: {
    type: 'gauge',
    name: 'vouch_watch_lists_held',
    help: 'Watch lists with a version that waits for confirmation because it lost more than half its entries.',
    labels: [],
  },
  listFailures: {
    type: 'gauge',
    name: 'vouch_watch_lists_failing',
    help: 'Watch lists whose latest fetch failed.',
    labels: [],
  },
  listsPublished: {
    type: 'gauge',
    name: 'vouch_watch_lists_published',
    help: 'Watch lists of publishers with a version in use. Without one, live sessions are screened only against lists of their organisation.',
    labels: [],
  },
  listsNeverImported: {
    type: 'gauge',
    name: 'vouch_watch_lists_never_imported',
    help: 'Watch lists that were subscribed or imported, but never had a version in use.',
    labels: [],
  },
  invariantViolations: {
    type: 'gauge',
    name: 'vouch_invariant_violations',
    help: 'Violations found by the latest check of each company; 0 is expected.',
    labels: ['invariant'],
  },
  invariantCompanies: {
    type: 'gauge',
    name: 'vouch_invariant_broken_companies',
    help: 'Companies that violate the invariant.',
    labels: ['invariant'],
  },
  invariantComparisons: {
    type: 'gauge',
    name: 'vouch_invariant_comparisons',
    help: 'Comparisons made by the latest check of each company.',
    labels: ['invariant'],
  },
  invariantOldest: {
    type: 'gauge',
    name: 'vouch_invariant_oldest_check_timestamp_seconds',
    help: 'Time of the oldest latest check of any company; 0 if there is none.',
    labels: [],
  },
  invariantUnchecked: {
    type: 'gauge',
    name: 'vouch_invariant_unchecked_companies',
    help: 'Companies that were never checked.',
    labels: [],
  },
  scrapeFailures: {
    type: 'gauge',
    name: 'vouch_scrape_source_failed',
    help: '1 if the source could not be read, so that its metrics are missing.',
    labels: ['source'],
  },
} as const satisfies Record<string, MetricDefinition>;

export const BUILD_INFO = {
  type: 'gauge',
  name: 'vouch_build_info',
  help: '1; the label is the version of the service.',
  labels: ['version'],
} as const satisfies MetricDefinition;
