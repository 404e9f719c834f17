import type { Model, QueryFilter, UpdateQuery } from 'mongoose';
import { AppError, notFoundError } from '../../../domain/errors';
import { Metrics } from '../../../lib/metrics/metrics';
import { isDuplicateKeyError } from '../../../lib/mongo';
import { awaitRecord } from '../await-record';
import type { Platform } from '../platform';
import { runTransaction } from '../transactions/unit-of-work';
import type { UnitOfWork } from '../transactions/unit-of-work';

/** A rendition pending for longer than this is requested again: its workflow may have been terminated. */
const STALE_REQUEST_AFTER_MS = 30_000;
/** Value of Retry-After in the errors below. */
const RETRY_AFTER_SECONDS = 5;

type RenditionStatus = 'pending' | 'stored' | 'failed';

/**
 * State of every rendition record: pending → stored, or pending → failed → pending with the next request. A rendition
 * is created by the first request for it, and the first bytes that an attempt stores are the rendition.
 */
export interface RenditionState {
  _id: string;
  status: RenditionStatus;
  /** Code of the reason why the last attempt failed. */
  failure: string | null;
  requestedAt: Date;
  completedAt: Date | null;
}

type RenditionConditions<K> = (K | { _id: string }) & { status?: RenditionStatus | { $ne: RenditionStatus } };

/** One collection of renditions. `R` is its record, `K` the unique key of a rendition, `F` what an attempt has stored. */
export interface RenditionDefinition<R extends RenditionState, K extends object, F> {
  /** Its collection must be among those that the change feed watches. */
  model: Model<R>;
  /** Builds a filter; the compiler can check the fields only where `R` is known. */
  where: (conditions: RenditionConditions<K>) => QueryFilter<R>;
  /** Matches the rendition until an attempt has stored it. */
  whereUnclaimed: (rendition: R) => QueryFilter<R>;
  /** Builds the update that requests a rendition; inserts the record if it does not exist. */
  buildRequest: (state: Omit<RenditionState, '_id'>) => UpdateQuery<R>;
  /** Builds the update that records what was stored. */
  buildCompletion: (file: F, state: Omit<RenditionState, '_id' | 'requestedAt'>) => UpdateQuery<R>;
  buildFailure: (state: Omit<RenditionState, '_id' | 'requestedAt'>) => UpdateQuery<R>;
  /** Starts the workflow that renders. */
  start: (unit: UnitOfWork, rendition: R) => void;
  /** Code of the 503 error for a rendition that is still pending when the wait ends. */
  notReadyCode: string;
}

/** Requests renditions of one collection, waits for them and records how their attempts end. */
export class RenderOnDemand<R extends RenditionState, K extends object, F> {
  constructor(private readonly definition: RenditionDefinition<R, K, F>) {}

  /** The rendition in any state; null if it was never requested. */
  find(key: K): Promise<R | null> {
    const { model, where } = this.definition;
    return model.findOne(where({ ...key })).lean<R>();
  }

  /** @throws AppError 404 */
  async get(renditionId: string): Promise<R> {
    const rendition = await this.definition.model.findById(renditionId).lean<R>();
    if (rendition === null) throw notFoundError('rendition');
    return rendition;
  }

  /** Returns the rendition; requests it unless it is stored or a recent request is pending. */
  async ensure(platform: Platform, key: K): Promise<R> {
    const existing = await this.find(key);
    const isPending = (rendition: R): boolean =>
      rendition.status === 'pending' &&
      platform.clock.now().getTime() - rendition.requestedAt.getTime() <= STALE_REQUEST_AFTER_MS;
    if (existing !== null && (existing.status === 'stored' || isPending(existing))) return existing;
    try {
      return await this.request(platform, key);
    } catch (error) {
      // Between the read and the write another request inserted the record, or an attempt stored the rendition.
      const concurrent = isDuplicateKeyError(error) ? await this.find(key) : null;
      if (concurrent === null) throw error;
      return concurrent;
    }
  }

  /** Sets the rendition to pending and enqueues the start of its workflow, in one transaction. */
  private request(platform: Platform, key: K): Promise<R> {
    const { model, where, buildRequest, start } = this.definition;
    const requestedAt = platform.clock.now();
    return runTransaction(platform, async (unit) => {
      const rendition = await model
        .findOneAndUpdate(
          where({ ...key, status: { $ne: 'stored' } }),
          buildRequest({ status: 'pending', failure: null, requestedAt, completedAt: null }),
          { upsert: true, returnDocument: 'after', session: unit.mongoSession },
        )
        .lean<R>();
      if (rendition === null) throw new Error('an upserted rendition was not returned');
      start(unit, rendition);
      return rendition;
    });
  }

  /**
   * Waits until the rendition is stored or has failed.
   * @param rendition as {@link ensure} returned it
   * @param requestedAt `performance.now()` before {@link ensure} was called
   * @returns null if it is still pending after `waitMs`
   * @throws AppError 404 if it was deleted meanwhile
   */
  async waitUntilSettled(platform: Platform, rendition: R, waitMs: number, requestedAt: number): Promise<R | null> {
    const isFinished = ({ status }: R): boolean => status !== 'pending';
    if (isFinished(rendition)) return rendition;
    const latest = await awaitRecord(platform, {
      collection: this.definition.model.collection.name,
      id: rendition._id,
      waitMs,
      read: () => this.get(rendition._id),
      isFinished,
      unfinishedAt: requestedAt,
    });
    return latest.status === 'pending' ? null : latest;
  }

  /** The 503 error, with `retryAfterSeconds`, for a rendition that has failed or is still pending. */
  unavailableError(rendition: R | null): AppError {
    const retry = { retryAfterSeconds: RETRY_AFTER_SECONDS };
    if (rendition?.status !== 'failed')
      return new AppError(this.definition.notReadyCode, 503, 'The file is still being rendered; try again.', retry);
    const message = 'The file could not be rendered; the next request tries again.';
    return new AppError('rendering_failed', 503, message, { reason: rendition.failure, ...retry });
  }

  /**
   * Records what an attempt has stored, unless another attempt was first: then that one's bytes stay the rendition.
   * @param unit the transaction that records it; the rendition is counted once that is committed
   * @returns whether this attempt was first
   */
  async complete(platform: Platform, rendition: R, file: F, unit?: UnitOfWork): Promise<boolean> {
    const { model, whereUnclaimed, buildCompletion } = this.definition;
    const written = await model.updateOne(
      whereUnclaimed(rendition),
      buildCompletion(file, { status: 'stored', failure: null, completedAt: platform.clock.now() }),
      unit === undefined ? {} : { session: unit.mongoSession },
    );
    const isFirst = written.matchedCount === 1;
    const countStored = (): void => {
      const { renditionDuration } = this.count(platform, 'stored');
      const waitedMs = platform.clock.now().getTime() - rendition.requestedAt.getTime();
      renditionDuration.observe({ collection: model.collection.name }, waitedMs / 1000);
    };
    if (isFirst && unit === undefined) countStored();
    else if (isFirst) unit?.afterCommit(countStored);
    return isFirst;
  }

  /** Records that the attempt failed, unless the rendition was stored meanwhile; a later request starts it again. */
  async fail(platform: Platform, renditionId: string, reason: string): Promise<void> {
    const { model, where, buildFailure } = this.definition;
    const written = await model.updateOne(
      where({ _id: renditionId, status: 'pending' }),
      buildFailure({ status: 'failed', failure: reason, completedAt: platform.clock.now() }),
    );
    if (written.matchedCount === 1) this.count(platform, 'failed');
  }

  private count(platform: Platform, outcome: 'stored' | 'failed') {
    const { instruments } = platform.singletons.get(Metrics);
    instruments.renditions.inc({ collection: this.definition.model.collection.name, outcome });
    return instruments;
  }
}
