import { setTimeout as delay } from 'node:timers/promises';
import type { QueryFilter } from 'mongoose';
import { toCanonicalJson } from '../../../domain/canonical-json';
import { AppError, conflictError } from '../../../domain/errors';
import { isDuplicateKeyError } from '../../../lib/mongo';
import { newId } from '../../../lib/ids';
import { sha256Hex } from '../../../lib/crypto/secrets';
import { Idempotency } from '../../../models/platform/transactions/idempotency';
import type { IdempotencyRecord } from '../../../models/platform/transactions/idempotency';
import { authenticate, isAuthentic } from '../evidence/wrapping-codes';
import type { Platform } from '../platform';
import { findLivingProcesses } from './process-heartbeat';
import type { UnitOfWork } from './unit-of-work';

/** A request with an Idempotency-Key. */
export interface IdempotentUse {
  organisationId: string;
  credentialId: string;
  /** Method and route pattern, such as `POST /v1/sessions`. */
  route: string;
  key: string;
  /** See {@link computeRequestFingerprint}. */
  fingerprint: string;
  /** Fingerprints of the same request under other secrets that are configured. */
  otherFingerprints?: readonly string[];
}

/** Binds the key to the record; called inside the transaction that writes the record. */
export type Claim = (unit: UnitOfWork, recordId: string, status: number) => Promise<void>;

/** Longer than the time after which a killed process counts as dead, so that a repeated request takes over. */
const DUPLICATE_WAIT_MS = 8000;
const DUPLICATE_POLL_MS = 100;
const RELEASE_RETRY_MS = 1000;
const MAX_RELEASES = 3600;
/** Pauses before further releases of a row that MongoDB may store late, such as after a connection was lost. */
const LATE_RELEASES_MS = [1000, 2000, 4000, 8000, 16_000] as const;

/** Hash of the route, the fields and the SHA-256 of each file, so that a retried multipart body matches. */
export const computeRequestFingerprint = (route: string, fields: unknown, files: Record<string, Buffer> = {}): string =>
  sha256Hex(
    toCanonicalJson({
      route,
      fields,
      files: Object.fromEntries(Object.entries(files).map(([name, body]) => [name, sha256Hex(body)])),
    }),
  );

const buildKeyFilter = (use: IdempotentUse) => ({
  organisationId: use.organisationId,
  credentialId: use.credentialId,
  route: use.route,
  key: use.key,
});

/**
 * The stored form of a fingerprint: keyed with a wrapping key of the organisation, so that a backup does not allow
 * guessing what was sent.
 */
export const protectFingerprint = (
  platform: Platform,
  { organisationId, fingerprint }: Pick<IdempotentUse, 'organisationId' | 'fingerprint'>,
): Promise<string> => authenticate(platform, organisationId, `request:${fingerprint}`);

/** Whether a stored fingerprint is of the same request. */
async function isSameRequest(platform: Platform, use: IdempotentUse, stored: string): Promise<boolean> {
  for (const fingerprint of [use.fingerprint, ...(use.otherFingerprints ?? [])]) {
    if (await isAuthentic(platform, use.organisationId, stored, `request:${fingerprint}`)) return true;
  }
  return false;
}

/** The leases of requests that this process is executing; one instance per platform. */
class HeldLeases {
  readonly ids = new Set<string>();
}

type LeaseResult = { kind: 'ours'; leaseId: string } | { kind: 'replay'; recordId: string; status: number };

/** Unbound rows of a lease: one that a committed record has claimed is never removed. */
const buildLeaseFilter = (use: IdempotentUse, leaseId: string) => ({ ...buildKeyFilter(use), recordId: null, leaseId });

/**
 * Inserts the row of a request.
 * @returns null if there is one with the key already
 */
async function insertRow(platform: Platform, use: IdempotentUse): Promise<LeaseResult | null> {
  const leaseId = newId('lea');
  const held = platform.singletons.get(HeldLeases).ids;
  held.add(leaseId);
  try {
    await Idempotency.create({
      ...buildKeyFilter(use),
      fingerprint: await protectFingerprint(platform, use),
      processId: platform.processId,
      leaseId,
      createdAt: platform.clock.now(),
    });
    return { kind: 'ours', leaseId };
  } catch (error) {
    held.delete(leaseId);
    if (isDuplicateKeyError(error)) return null;
    // The row may exist although its acknowledgement was lost. Stored later, it would block other processes: this one lives.
    await releaseLease(buildLeaseFilter(use, leaseId), LATE_RELEASES_MS);
    throw error;
  }
}

/**
 * Removes the row of a request that no process executes any more, so that the next request with the key inserts its own:
 * the process is dead, or it is this one and has ended the request. MongoDB may insert a row after its request has failed
 * and released it.
 */
async function removeAbandonedRow(
  platform: Platform,
  use: IdempotentUse,
  { processId, leaseId }: IdempotencyRecord,
): Promise<void> {
  const isExecuted =
    processId === platform.processId
      ? platform.singletons.get(HeldLeases).ids.has(leaseId)
      : (await findLivingProcesses([processId])).has(processId);
  if (!isExecuted) await Idempotency.deleteOne(buildLeaseFilter(use, leaseId));
}

/** Waits for a concurrent duplicate of the request, then replays its response or takes over from a dead process. */
async function acquireLease(platform: Platform, use: IdempotentUse): Promise<LeaseResult> {
  const deadline = Date.now() + DUPLICATE_WAIT_MS;
  for (;;) {
    const inserted = await insertRow(platform, use);
    if (inserted !== null) return inserted;
    const row = await Idempotency.findOne(buildKeyFilter(use)).lean<IdempotencyRecord>();
    if (row !== null) {
      if (!(await isSameRequest(platform, use, row.fingerprint))) {
        throw new AppError(
          'idempotency_key_reused',
          422,
          'Idempotency-Key: was used with a different body; use a new key for a new request.',
        );
      }
      if (row.recordId != null && row.status != null)
        return { kind: 'replay', recordId: row.recordId, status: row.status };
      await removeAbandonedRow(platform, use, row);
    }
    if (Date.now() > deadline) {
      throw conflictError(
        'idempotency_in_progress',
        'Idempotency-Key: the first request with this key is still running; try again.',
        {
          retryAfterSeconds: 5,
        },
      );
    }
    await delay(DUPLICATE_POLL_MS);
  }
}

/**
 * Releases the lease of a failed request, unless a committed record has claimed the key. If MongoDB does not respond, it
 * is released later: no other process releases it while this one runs.
 * @param furtherPausesMs pauses in the background, each of which is followed by a further release
 */
async function releaseLease(
  leaseFilter: QueryFilter<IdempotencyRecord>,
  furtherPausesMs: readonly number[] = [],
): Promise<void> {
  const remove = () =>
    Idempotency.deleteOne(leaseFilter).then(
      () => true,
      () => false,
    );
  const pause = (ms: number) => delay(ms, undefined, { ref: false });
  let isReleased = await remove();
  if (isReleased && furtherPausesMs.length === 0) return;
  void (async () => {
    for (let tries = 0; !isReleased && tries < MAX_RELEASES; tries += 1) {
      await pause(RELEASE_RETRY_MS);
      isReleased = await remove();
    }
    for (const ms of furtherPausesMs) {
      await pause(ms);
      await remove();
    }
  })();
}

/**
 * Executes `run` once per Idempotency-Key. `run` calls the claim inside its transaction; a repeated request executes
 * `replay(recordId, status)` instead, which rebuilds the response from the record. Failed requests are not stored.
 * Without a key `run` is always executed.
 * @throws AppError 422 if the key was used with a different body, 409 if a duplicate is still running after 8 s
 */
export async function runIdempotently<T>(
  platform: Platform,
  use: IdempotentUse | undefined,
  run: (claim: Claim) => Promise<T>,
  replay: (recordId: string, status: number) => Promise<T>,
): Promise<T> {
  if (use === undefined) return run(() => Promise.resolve());
  const lease = await acquireLease(platform, use);
  if (lease.kind === 'replay') return replay(lease.recordId, lease.status);
  const leaseFilter = buildLeaseFilter(use, lease.leaseId);
  try {
    return await run(async (unit, recordId, status) => {
      const bound = await Idempotency.updateOne(
        leaseFilter,
        { $set: { recordId, status } },
        { session: unit.mongoSession },
      );
      if (bound.matchedCount === 0) {
        throw conflictError(
          'idempotency_in_progress',
          'Idempotency-Key: another request with this key took over; try again.',
          {
            retryAfterSeconds: 1,
          },
        );
      }
    });
  } catch (error) {
    await releaseLease(leaseFilter);
    throw error;
  } finally {
    platform.singletons.get(HeldLeases).ids.delete(lease.leaseId);
  }
}

/**
 * Releases the keys of a record whose request was answered with an error after its commit, so that a repetition is
 * executed again instead of repeating the error.
 */
export async function releaseKeysOfRecord(unit: UnitOfWork, organisationId: string, recordId: string): Promise<void> {
  await Idempotency.deleteMany({ organisationId, recordId }, { session: unit.mongoSession });
}
