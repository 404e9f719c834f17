import type { QueryFilter } from 'mongoose';
import { isFinalStatus, UNFINISHED_STATUSES } from '../domain/identity/sessions/session';
import { Export } from '../models/business/exports/export';
import { AmlScreening } from '../models/identity/aml/aml-screening';
import { Face } from '../models/identity/biometrics/face';
import { Check } from '../models/identity/checks/check';
import type { CheckRecord } from '../models/identity/checks/check';
import { Erasure } from '../models/identity/erasure/erasure';
import { KybCheck } from '../models/identity/kyb/kyb-check';
import { RegisterImport } from '../models/identity/registers/register-import';
import { Session } from '../models/identity/sessions/session';
import type { SessionRecord } from '../models/identity/sessions/session';
import { WebhookDelivery } from '../models/platform/webhooks/webhook-delivery';
import { startExportWorkflow } from './business/exports/exports';
import { startScreeningWorkflow } from './identity/aml/screenings';
import { startIndexingWorkflow } from './identity/biometrics/faces';
import { startCheckWorkflow } from './identity/checks/check-store';
import { startErasureWorkflow } from './identity/erasure/erase';
import { startKybWorkflow } from './identity/kyb/checks';
import { startImportWorkflow } from './identity/registers/imports';
import { restartSessionWorkflow, runsItsChecks } from './identity/sessions/temporal-workflow';
import type { WebhookReference } from '../workflows/contracts';
import type { Platform } from './platform/platform';
import { runTransaction } from './platform/transactions/unit-of-work';
import type { UnitOfWork } from './platform/transactions/unit-of-work';
import { wakeDeliveries } from './platform/webhooks/deliveries';

const BATCH_SIZE = 200;

/** Records whose workflow runs until they reach another state. */
interface OpenRecords {
  /** Name in the report. */
  kind: string;
  find: () => AsyncIterable<(unit: UnitOfWork) => void>;
}

interface ReadableModel<T> {
  find(filter: QueryFilter<T>): { lean(): { cursor(): AsyncIterable<unknown> } };
}

/** The open records of a collection. */
const open = <T>(
  kind: string,
  model: ReadableModel<T>,
  filter: QueryFilter<T>,
  start: (unit: UnitOfWork, record: T) => void,
): OpenRecords => ({
  kind,
  async *find() {
    for await (const record of model.find(filter).lean().cursor()) yield (unit) => start(unit, record as T);
  },
});

/** Checks with a workflow of their own; the others are run by the workflow of their session, which an ended one has no longer. */
async function* findChecksOfTheirOwn(): AsyncGenerator<(unit: UnitOfWork) => void> {
  for await (const found of Check.find({ status: 'processing', deletedAt: null }).lean().cursor()) {
    const check = found as CheckRecord;
    const session = await Session.findById(check.sessionId ?? '', { followedBy: 1, status: 1 }).lean<
      Pick<SessionRecord, 'followedBy' | 'status'>
    >();
    const isRun = session !== null && runsItsChecks(session) && !isFinalStatus(session.status);
    if (isRun && !check.supplementary) continue;
    yield (unit) => startCheckWorkflow(unit, check);
  }
}

/** Webhooks with pending deliveries, each of which has one workflow. */
async function* findWebhooksWithDeliveries(): AsyncGenerator<(unit: UnitOfWork) => void> {
  const webhooks = WebhookDelivery.aggregate([
    { $match: { status: 'pending' } },
    { $group: { _id: { webhookId: '$endpointId', organisationId: '$organisationId', mode: '$mode' } } },
  ]).cursor();
  for await (const group of webhooks) {
    const { _id: webhook } = group as { _id: WebhookReference };
    yield (unit) => wakeDeliveries(unit, webhook);
  }
}

/**
 * What Temporal works on by records. Renditions are missing because the next request for one starts it again, and
 * schedules because each start of a worker registers them.
 */
const OPEN_RECORDS: readonly OpenRecords[] = [
  open('erasures', Erasure, { status: 'erasing' }, startErasureWorkflow),
  open('sessions', Session, { status: { $in: UNFINISHED_STATUSES }, deletedAt: null }, restartSessionWorkflow),
  { kind: 'checks', find: findChecksOfTheirOwn },
  open('screenings', AmlScreening, { status: 'processing', deletedAt: null }, startScreeningWorkflow),
  open('businessChecks', KybCheck, { status: 'processing', deletedAt: null }, startKybWorkflow),
  open('faces', Face, { status: 'processing', deletedAt: null }, startIndexingWorkflow),
  open('registerImports', RegisterImport, { status: 'importing', deletedAt: null }, startImportWorkflow),
  open('exports', Export, { state: { $in: ['queued', 'running'] } }, startExportWorkflow),
  { kind: 'webhooks', find: findWebhooksWithDeliveries },
];

/** Enqueues starts; a workflow that has ended under its id is started again, one that runs is left alone. */
const enqueueStarts = (platform: Platform, starts: readonly ((unit: UnitOfWork) => void)[]): Promise<void> =>
  runTransaction(platform, (unit) => {
    for (const start of starts) start(unit);
    for (const row of unit.rows) row.again = true;
    return Promise.resolve();
  });

/**
 * Starts the workflows of all open records, for a Temporal that lost them: after a restoration, or the loss of its
 * database. A workflow reads its state from the record, so starting one that runs already has no effect.
 * @returns the number of records of each kind
 */
export async function resumeWorkflows(platform: Platform): Promise<Record<string, number>> {
  const resumed: Record<string, number> = {};
  for (const { kind, find } of OPEN_RECORDS) {
    let starts: ((unit: UnitOfWork) => void)[] = [];
    let count = 0;
    for await (const start of find()) {
      starts.push(start);
      count += 1;
      if (starts.length < BATCH_SIZE) continue;
      await enqueueStarts(platform, starts);
      starts = [];
    }
    if (starts.length > 0) await enqueueStarts(platform, starts);
    resumed[kind] = count;
  }
  return resumed;
}
