import type { ClientSession } from 'mongoose';
import type { EventType } from '../../../domain/platform/webhooks/event-types';
import { getLogContext } from '../../../lib/context';
import { isId, newId } from '../../../lib/ids';
import { withMongoTransaction } from '../../../lib/mongo';
import { getTraceparent } from '../../../lib/trace-context';
import { Audit } from '../../../models/platform/audit/audit';
import { Outbox } from '../../../models/platform/transactions/outbox';
import type { OutboxRecord } from '../../../models/platform/transactions/outbox';
import { authenticateEntry } from '../audit/authentication';
import { QUEUES } from '../../../workflows/contracts';
import type {
  BacklogWorkflowName,
  SignalArguments,
  SignalName,
  WorkflowArguments,
  WorkflowName,
} from '../../../workflows/contracts';
import { OutboxDispatcher, RELAY_GRACE_MS } from './dispatcher';
import type { Platform, Scope } from '../platform';

export interface StartRequest<N extends WorkflowName> {
  workflow: N;
  workflowId: string;
  argument: WorkflowArguments[N];
  /** One line shown in the Temporal UI; without personal data. */
  summary?: string;
  /** `recordId`: the record that the workflow belongs to; if it is a session, the workflow is found by it. */
  searchAttributes?: { status?: string; features?: string[]; recordId?: string };
}

export interface AuditEntry {
  /** Credential or user id, or `system`. */
  actor: string;
  /** `resource.action`, such as `session.decided`. */
  action: string;
  /** Id of the record that the action changed. */
  subject: string;
  /** Names of the changed fields, never their values. */
  fields?: string[];
  reason?: string;
}

/** Fields that sealing sets later. */
const UNSEALED = { position: null, previousHash: null, hash: null } as const;

type NewRow = Pick<OutboxRecord, 'kind' | 'workflowId' | 'name'> & Partial<OutboxRecord>;

/** One transaction: its MongoDB session, and the audit rows and outbox rows that are committed with it. */
export class UnitOfWork {
  /** Outbox rows that this process dispatches after the commit. */
  readonly rows: OutboxRecord[] = [];
  /** Deliveries to webhooks that the transaction has enqueued. */
  readonly deliveries: { event: EventType; subjectId: string; webhookId: string }[] = [];
  /** Run once the transaction is committed; see {@link UnitOfWork.afterCommit}. */
  readonly committedActions: (() => void)[] = [];

  constructor(
    readonly mongoSession: ClientSession,
    readonly platform: Platform,
  ) {}

  /** Enqueues a workflow start. A workflow that is already started counts as success. */
  start<N extends WorkflowName>(organisationId: string, request: StartRequest<N>): void {
    const { status, features, recordId } = request.searchAttributes ?? {};
    this.enqueue(organisationId, {
      kind: 'start',
      workflowId: request.workflowId,
      name: request.workflow,
      taskQueue: QUEUES.orchestration,
      argument: request.argument,
      summary: request.summary ?? null,
      searchAttributes: {
        ...(status === undefined ? {} : { status }),
        ...(features === undefined ? {} : { features }),
        ...(recordId !== undefined && isId('ses', recordId) ? { sessionId: recordId } : {}),
      },
    });
  }

  /** Enqueues a signal. Its argument contains the outbox id, by which the workflow ignores repeated deliveries. */
  signal<N extends SignalName>(
    organisationId: string,
    workflowId: string,
    name: N,
    argument: Omit<SignalArguments[N], 'outboxId'>,
  ): void {
    const outboxId = newId('obx');
    this.enqueue(organisationId, { kind: 'signal', workflowId, name, argument: { ...argument, outboxId } }, outboxId);
  }

  /**
   * Enqueues waking a workflow that works off pending rows, once per transaction: it is started, or notified of further
   * rows. While it reads them anyway, nothing is sent to Temporal.
   */
  wake<N extends BacklogWorkflowName>(
    organisationId: string,
    { workflow, workflowId, argument, summary }: Omit<StartRequest<N>, 'searchAttributes'>,
  ): void {
    if (this.rows.some((row) => row.wakes === true && row.workflowId === workflowId)) return;
    this.wakeAgain(organisationId, { workflow, workflowId, argument, summary });
  }

  /** {@link wake} for a stored workflow. */
  wakeAgain(
    organisationId: string,
    { workflow, ...request }: { workflow: string; workflowId: string; argument: unknown; summary?: string | undefined },
  ): void {
    const row = { ...request, name: workflow, summary: request.summary ?? null };
    this.enqueue(organisationId, { kind: 'start', wakes: true, ...row });
  }

  /** Enqueues the cancellation of a workflow. A workflow that has ended counts as success. */
  cancel(organisationId: string, workflowId: string): void {
    this.enqueue(organisationId, { kind: 'cancel', workflowId, name: 'cancel' });
  }

  /** Runs `action` once the transaction is committed, for counts; it must not fail. */
  afterCommit(action: () => void): void {
    this.committedActions.push(action);
  }

  /** Inserts the enqueued rows: one write at the end of the transaction, however many there are. */
  async insertOutboxRows(): Promise<void> {
    if (this.rows.length > 0) await Outbox.insertMany(this.rows, { session: this.mongoSession, lean: true });
  }

  /** Writes an audit row of the current request and actor. */
  async audit(scope: Scope, entry: AuditEntry): Promise<void> {
    await this.auditAll(scope, [entry]);
  }

  /** Writes several audit rows. An entry with a `requestId` is recorded under it instead of the current request. */
  async auditAll(scope: Scope, entries: readonly (AuditEntry & { requestId?: string | undefined })[]): Promise<void> {
    const rows = entries.map((entry) => {
      const content = {
        _id: newId('aud'),
        organisationId: scope.organisationId,
        mode: scope.mode,
        at: this.platform.clock.now(),
        actor: entry.actor,
        action: entry.action,
        subject: entry.subject,
        fields: entry.fields ?? [],
        reason: entry.reason ?? null,
        requestId: entry.requestId ?? getLogContext().requestId ?? null,
      };
      return { ...content, mac: authenticateEntry(this.platform.masterKey, content), ...UNSEALED };
    });
    await Audit.insertMany(rows, { session: this.mongoSession, lean: true });
  }

  private enqueue(organisationId: string, row: NewRow, id: string = newId('obx')): void {
    this.rows.push(this.buildRow(organisationId, row, id));
  }

  private buildRow(organisationId: string, row: NewRow, id: string): OutboxRecord {
    const now = this.platform.clock.now();
    return {
      _id: id,
      organisationId,
      taskQueue: null,
      wakes: false,
      again: false,
      argument: null,
      searchAttributes: null,
      summary: null,
      requestId: getLogContext().requestId ?? null,
      traceparent: getTraceparent(),
      createdAt: now,
      dueAt: new Date(now.getTime() + RELAY_GRACE_MS),
      attempts: 0,
      doneAt: null,
      outcome: null,
      lastError: null,
      ...row,
    };
  }
}

/**
 * Runs `work` in one transaction and hands the outbox rows that it enqueued to the dispatcher. Returns after the commit,
 * without waiting for Temporal: rows that could not be dispatched are in MongoDB, and the relay retries them.
 */
export async function runTransaction<T>(platform: Platform, work: (unit: UnitOfWork) => Promise<T>): Promise<T> {
  let rows: readonly OutboxRecord[] = [];
  let actions: readonly (() => void)[] = [];
  const result = await withMongoTransaction(async (mongoSession) => {
    // The driver may call this again after a conflict; only the rows of the committed attempt are dispatched.
    const unit = new UnitOfWork(mongoSession, platform);
    const value = await work(unit);
    await unit.insertOutboxRows();
    rows = unit.rows;
    actions = unit.committedActions;
    return value;
  });
  platform.singletons.get(OutboxDispatcher).dispatchCommitted(platform, rows);
  for (const action of actions) action();
  return result;
}

/** Thrown to roll back the transaction of a dry run. */
const DRY_RUN_ROLLBACK = new Error('a dry run is never committed');

/**
 * Runs `work` like {@link runTransaction}, with the same validation and locks, then rolls the transaction back.
 * @returns the result of `work`
 */
export async function dryRunTransaction<T>(platform: Platform, work: (unit: UnitOfWork) => Promise<T>): Promise<T> {
  const results: T[] = [];
  try {
    await withMongoTransaction(async (mongoSession) => {
      results.push(await work(new UnitOfWork(mongoSession, platform)));
      throw DRY_RUN_ROLLBACK;
    });
  } catch (error) {
    if (error !== DRY_RUN_ROLLBACK) throw error;
  }
  const [result] = results.slice(-1);
  if (result === undefined) throw new Error('the dry run ended without a result');
  return result;
}
