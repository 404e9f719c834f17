import { setTimeout as delay } from 'node:timers/promises';
import { newId } from '../../../lib/ids';
import { BacklogReaders } from '../../../models/platform/transactions/backlog-reader';
import type { OutboxRecord } from '../../../models/platform/transactions/outbox';
import type { BacklogWorkflowName, WorkflowArguments } from '../../../workflows/contracts';

/**
 * Whether the workflow of a backlog reads it at the moment. A writer asks after its commit; a reader ends its record
 * before it looks for the last time. So either the writer wakes the workflow, or the reader finds the new rows.
 */

/** A woken workflow starts to read within this time, or is woken again by the next row. */
const WAKE_LEASE_MS = 10_000;
/**
 * A reader that has not renewed its record for this long counts as dead, like a process without a heartbeat: as long as
 * Temporal takes to notice a dead worker and repeat the activity.
 */
const READ_LEASE_MS = 5_000;
const RENEW_EVERY_MS = 1_000;
const END_RETRY_MS = 200;

// The clock of MongoDB decides, and a repetition after a change of the primary does no harm.
const PIPELINE = { updatePipeline: true, writeConcern: { w: 1 } } as const;
/** Whether a record has not expired, as an expression. */
export const isActive = { $gt: ['$until', '$$NOW'] };

/**
 * Replaces the record of a workflow, or creates it, in one operation.
 * @param isKept whether the present record stays, as an expression
 * @returns whether the record was replaced or created
 */
async function replaceRecord(_id: string, own: Readonly<Record<string, unknown>>, isKept: object): Promise<boolean> {
  const kept = Object.entries(own).map(([field, value]) => [field, { $cond: [isKept, `$${field}`, value] }] as const);
  const update: Record<string, object> = Object.fromEntries(kept);
  const options = { ...PIPELINE, upsert: true };
  const { modifiedCount, upsertedCount } = await BacklogReaders.updateOne({ _id }, [{ $set: update }], options);
  return modifiedCount + upsertedCount > 0;
}

/**
 * Notes that the workflow of an outbox row is being woken. A note of the same row, or of one of its repetitions, does not
 * count: the process that made it was killed before Temporal accepted the call.
 * @param repetitions rows that the same call wakes the workflow for
 * @returns false if it was woken shortly before or is reading: then it will read the rows of this transaction too
 */
export async function claimWake(row: OutboxRecord, repetitions: readonly OutboxRecord[] = []): Promise<boolean> {
  const argument: unknown = row.argument;
  const owners = [row, ...repetitions].map(({ _id }) => _id);
  const isOfAnother = { $and: [isActive, { $not: [{ $in: ['$owner', owners] }] }] };
  const own = {
    organisationId: row.organisationId,
    workflow: row.name,
    argument: { $literal: argument },
    owner: row._id,
    reading: false,
    until: { $add: ['$$NOW', WAKE_LEASE_MS] },
  };
  return replaceRecord(row.workflowId, own, isOfAnother);
}

/** Withdraws the note of {@link claimWake} after a failure. */
export async function withdrawWake(row: OutboxRecord): Promise<void> {
  await BacklogReaders.deleteOne({ _id: row.workflowId, owner: row._id }, { writeConcern: { w: 1 } });
}

/**
 * Removes the record of a workflow that was cancelled: rows that are committed from now on wake it. An activity of it that
 * still reads stops when it renews its record.
 */
export async function forgetReader(workflowId: string): Promise<void> {
  await BacklogReaders.deleteOne({ _id: workflowId }, { writeConcern: { w: 1 } });
}

export interface BacklogWorkflow<N extends BacklogWorkflowName> {
  workflow: N;
  workflowId: string;
  organisationId: string;
  argument: WorkflowArguments[N];
}

/** The record of one activity that reads a backlog. Only the activity that has the record takes rows. */
export class BacklogReader<N extends BacklogWorkflowName> {
  private readonly owner = newId('lea');
  private renewedAt = 0;
  private isOwner = false;
  private renewal: Promise<boolean> | null = null;

  constructor(private readonly backlog: BacklogWorkflow<N>) {}

  /**
   * Notes that this activity reads the backlog from now on.
   * @returns false while another one reads: an attempt that Temporal has given up, in a process that is alive
   */
  async tryStart(): Promise<boolean> {
    const { workflow, workflowId, organisationId, argument } = this.backlog;
    const startedAt = performance.now();
    const own = {
      organisationId,
      workflow,
      argument: { $literal: argument },
      owner: this.owner,
      reading: true,
      until: { $add: ['$$NOW', READ_LEASE_MS] },
    };
    this.isOwner = await replaceRecord(workflowId, own, { $and: ['$reading', isActive] });
    this.renewedAt = startedAt;
    return this.isOwner;
  }

  /**
   * Extends the record when it is due. After a pause of the process this asks MongoDB, so it may be called before
   * everything that must not happen twice.
   * @returns false if another activity has taken the backlog over
   */
  renew(): Promise<boolean> {
    if (performance.now() - this.renewedAt < RENEW_EVERY_MS) return Promise.resolve(this.isOwner);
    this.renewal ??= this.extend().finally(() => {
      this.renewal = null;
    });
    return this.renewal;
  }

  private async extend(): Promise<boolean> {
    const startedAt = performance.now();
    const { matchedCount } = await BacklogReaders.updateOne(
      { _id: this.backlog.workflowId, owner: this.owner },
      [{ $set: { until: { $add: ['$$NOW', READ_LEASE_MS] } } }],
      PIPELINE,
    );
    this.isOwner = matchedCount > 0;
    this.renewedAt = startedAt;
    return this.isOwner;
  }

  /**
   * From now on, new rows wake the workflow. The backlog has to be read once more afterwards. During an outage this is
   * tried until the record has expired, so that the next activity need not wait for that.
   */
  async end(): Promise<void> {
    const own = { _id: this.backlog.workflowId, owner: this.owner };
    const expiresAt = this.renewedAt + READ_LEASE_MS;
    for (;;) {
      try {
        await BacklogReaders.deleteOne(own, { writeConcern: { w: 1 } });
        return;
      } catch (error) {
        if (performance.now() >= expiresAt) throw error;
        await delay(END_RETRY_MS);
      }
    }
  }
}
