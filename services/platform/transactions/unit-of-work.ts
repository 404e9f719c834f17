import type { ClientSession } from 'mongoose';
import { getLogContext } from '../../../lib/context';
import { newId } from '../../../lib/ids';
import { withMongoTransaction } from '../../../lib/mongo';
import { Audit } from '../../../models/platform/audit/audit';
import { Outbox } from '../../../models/platform/transactions/outbox';
import type { OutboxRecord } from '../../../models/platform/transactions/outbox';
import { authenticateEntry } from '../audit/authentication';
import { QUEUES } from '../../../workflows/contracts';
import type { SignalArguments, SignalName, WorkflowArguments, WorkflowName } from '../../../workflows/contracts';
import { dispatchRows } from './outbox';
import type { Platform, Scope } from '../platform';

/** The relay ignores a new row for this long, since the process that wrote it dispatches it immediately. */
const RELAY_GRACE_MS = 5000;

export interface StartRequest<N extends WorkflowName> {
  workflow: N;
  workflowId: string;
  argument: WorkflowArguments[N];
  /** One line shown in the Temporal UI; without personal data. */
  summary?: string;
  searchAttributes?: { status?: string; features?: string[] };
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

/** One transaction: its MongoDB session, and the audit rows and outbox rows that are committed with it. */
export class UnitOfWork {
  readonly rows: OutboxRecord[] = [];

  constructor(
    readonly mongoSession: ClientSession,
    private readonly platform: Platform,
  ) {}

  /** Enqueues a workflow start. A workflow that is already started counts as success. */
  async start<N extends WorkflowName>(organisationId: string, request: StartRequest<N>): Promise<void> {
    const { status, features } = request.searchAttributes ?? {};
    await this.enqueue(organisationId, {
      kind: 'start',
      workflowId: request.workflowId,
      name: request.workflow,
      taskQueue: QUEUES.orchestration,
      argument: request.argument,
      summary: request.summary ?? null,
      searchAttributes: {
        ...(status === undefined ? {} : { status }),
        ...(features === undefined ? {} : { features }),
      },
    });
  }

  /** Enqueues a signal. Its argument contains the outbox id, by which the workflow ignores repeated deliveries. */
  async signal<N extends SignalName>(
    organisationId: string,
    workflowId: string,
    name: N,
    argument: Omit<SignalArguments[N], 'outboxId'>,
  ): Promise<void> {
    const outboxId = newId('obx');
    await this.enqueue(
      organisationId,
      { kind: 'signal', workflowId, name, argument: { ...argument, outboxId } },
      outboxId,
    );
  }

  /** Enqueues the cancellation of a workflow. A workflow that has ended counts as success. */
  async cancel(organisationId: string, workflowId: string): Promise<void> {
    await this.enqueue(organisationId, { kind: 'cancel', workflowId, name: 'cancel' });
  }

  /** Enqueues the cancellation of many workflows. Only the relay dispatches them, so the request does not wait. */
  async cancelAll(organisationId: string, workflowIds: readonly string[]): Promise<void> {
    const now = this.platform.clock.now();
    const rows = workflowIds.map((workflowId) => ({
      ...this.buildRow(organisationId, { kind: 'cancel', workflowId, name: 'cancel' }, newId('obx'), now),
      dueAt: now,
    }));
    if (rows.length > 0) await Outbox.insertMany(rows, { session: this.mongoSession });
  }

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

  private async enqueue(
    organisationId: string,
    row: Pick<OutboxRecord, 'kind' | 'workflowId' | 'name'> & Partial<OutboxRecord>,
    id = newId('obx'),
  ): Promise<void> {
    const complete = this.buildRow(organisationId, row, id, this.platform.clock.now());
    const [saved] = await Outbox.create([complete], { session: this.mongoSession });
    if (saved !== undefined) this.rows.push(saved.toObject());
  }

  private buildRow(
    organisationId: string,
    row: Pick<OutboxRecord, 'kind' | 'workflowId' | 'name'> & Partial<OutboxRecord>,
    id: string,
    now: Date,
  ) {
    return {
      _id: id,
      organisationId,
      requestId: getLogContext().requestId ?? null,
      createdAt: now,
      dueAt: new Date(now.getTime() + RELAY_GRACE_MS),
      attempts: 0,
      doneAt: null,
      ...row,
    };
  }
}

/**
 * Runs `work` in one transaction, then dispatches the outbox rows it enqueued. The request can be answered as soon as
 * this returns: rows that could not be dispatched are in MongoDB, and the relay retries them.
 */
export async function runTransaction<T>(platform: Platform, work: (unit: UnitOfWork) => Promise<T>): Promise<T> {
  let rows: OutboxRecord[] = [];
  const result = await withMongoTransaction(async (mongoSession) => {
    // The driver may call this again after a conflict; only the rows of the committed attempt are dispatched.
    const unit = new UnitOfWork(mongoSession, platform);
    const value = await work(unit);
    rows = unit.rows;
    return value;
  });
  if (rows.length > 0) await dispatchRows(platform, rows);
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
