import type { ClientSession } from 'mongoose';
import { getLogContext } from '../../../lib/context';
import { newId } from '../../../lib/ids';
import { withMongoTransaction } from '../../../lib/mongo';
import { Audit } from '../../../models/platform/audit/audit';
import { Outbox } from '../../../models/platform/transactions/outbox';
import type { OutboxRecord } from '../../../models/platform/transactions/outbox';
import { QUEUES } from '../../../workflows/contracts';
import type { SignalArguments, SignalName, WorkflowArguments, WorkflowName } from '../../../workflows/contracts';
import { dispatchRows } from './outbox';
import type { Platform, Scope } from '../platform';

/** The relay leaves a fresh row alone for this long: the process that wrote it dispatches it at once. */
const RELAY_GRACE_MS = 5000;

export interface StartRequest<N extends WorkflowName> {
  workflow: N;
  workflowId: string;
  argument: WorkflowArguments[N];
  /** One line for the operator in the Temporal UI; no personal data. */
  summary?: string;
  searchAttributes?: { status?: string; features?: string[] };
}

export interface AuditEntry {
  /** Credential or user id, or `system`. */
  actor: string;
  /** `resource.action`, such as `session.decided`. */
  action: string;
  /** The id of the record acted upon. */
  subject: string;
  /** Names of the fields written, never their values. */
  fields?: string[];
  reason?: string;
}

/** What the sealer fills in. */
const UNSEALED = { position: null, previousHash: null, hash: null } as const;

/** One transaction: its MongoDB session, the audit rows and the effects on Temporal that commit with it. */
export class UnitOfWork {
  readonly rows: OutboxRecord[] = [];

  constructor(
    readonly mongoSession: ClientSession,
    private readonly platform: Platform,
  ) {}

  /** Owes a workflow start; "already started" counts as done. */
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

  /** Owes a signal; its argument carries the outbox id, by which the workflow drops repeats. */
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

  /** Owes the cancellation of a workflow; one that has ended counts as done. */
  async cancel(organisationId: string, workflowId: string): Promise<void> {
    await this.enqueue(organisationId, { kind: 'cancel', workflowId, name: 'cancel' });
  }

  /**
   * Owes the cancellation of many workflows. The relay carries them out, so that the request that owes them need not
   * wait for each.
   */
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

  /** {@link audit} for the effects of several requests; each entry may name its own. */
  async auditAll(scope: Scope, entries: readonly (AuditEntry & { requestId?: string | undefined })[]): Promise<void> {
    const rows = entries.map((entry) => ({
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
      ...UNSEALED,
    }));
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
 * Runs `work` in one transaction, then dispatches the effects it owes. The answer may be given once this returns: what
 * could not be dispatched now is in MongoDB, and a relay does it.
 */
export async function runTransaction<T>(platform: Platform, work: (unit: UnitOfWork) => Promise<T>): Promise<T> {
  let rows: OutboxRecord[] = [];
  const result = await withMongoTransaction(async (mongoSession) => {
    // The driver may run this again; only the effects of the run that commits count.
    const unit = new UnitOfWork(mongoSession, platform);
    const value = await work(unit);
    rows = unit.rows;
    return value;
  });
  if (rows.length > 0) await dispatchRows(platform, rows);
  return result;
}

/** Thrown to end a transaction that is not to be kept. */
const DRY_RUN_ROLLBACK = new Error('a rehearsal is never committed');

/**
 * Runs `work` as `transact` would and keeps nothing of it: guards, locks and refusals are the real ones. For dry runs.
 * @returns what `work` returned
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
  if (result === undefined) throw new Error('a rehearsal ended without its result');
  return result;
}
