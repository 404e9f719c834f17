import { z } from 'zod';
import { DAY_MS } from '../../../domain/durations';
import { AppError } from '../../../domain/errors';
import { ERASURE_REASONS, PERSON_RECORD_KINDS } from '../../../domain/identity/erasure/erasure';
import { getIdTime } from '../../../lib/ids';
import type { ErasureRecord } from '../../../models/identity/erasure/erasure';
import type { Platform } from '../../platform/platform';
import { beginErasure } from './erase';

/**
 * Erasures as entries of the key store, apart from the database: a backup from before an erasure has the person again,
 * and the log says what to erase again once it is restored. It has ids only.
 */
const PREFIX = 'erasures/';

const entrySchema = z.object({
  organisationId: z.string(),
  mode: z.enum(['live', 'test']),
  kind: z.enum(PERSON_RECORD_KINDS),
  recordId: z.string(),
  reason: z.enum(ERASURE_REASONS),
  actor: z.string(),
});

/** Adds an erasure to the log; a repeated call changes nothing. */
export async function logErasure({ keyStore }: Platform, erasure: ErasureRecord): Promise<void> {
  const { organisationId, mode, kind, recordId, reason, actor } = erasure;
  const entry = { organisationId, mode, kind, recordId, reason, actor };
  await keyStore.write(`${PREFIX}${erasure._id}`, Buffer.from(JSON.stringify(entry), 'utf8'));
}

/**
 * Erases again what was erased after a restored backup was made. The receipts keep their ids.
 * @returns the number of records that the backup had and that are being erased again
 */
export async function repeatErasures(platform: Platform): Promise<number> {
  let repeated = 0;
  for await (const name of platform.keyStore.list(PREFIX)) {
    const body = await platform.keyStore.read(name);
    if (body === null) continue;
    const { organisationId, mode, ...request } = entrySchema.parse(JSON.parse(body.toString('utf8')));
    const erasureId = name.slice(PREFIX.length);
    try {
      await beginErasure(platform, { organisationId, mode }, { ...request, erasureId });
      repeated += 1;
    } catch (error) {
      // The backup does not have the record: it was made after the erasure, or before the record was created.
      if (!(error instanceof AppError && error.status === 404)) throw error;
    }
  }
  return repeated;
}

/**
 * Removes entries of erasures that no backup needs any more: the wrapping keys of the erased records have been removed.
 * @returns the number of entries removed
 */
export async function sweepErasureLog({ keyStore, clock, config }: Platform): Promise<number> {
  // A key is used for KEY_ROTATION_DAYS, and kept for KEY_RETENTION_DAYS and a day after it was replaced.
  const keptDays = config.KEY_ROTATION_DAYS + config.KEY_RETENTION_DAYS + 2;
  const keptSince = clock.now().getTime() - keptDays * DAY_MS;
  let removed = 0;
  for await (const name of keyStore.list(PREFIX)) {
    if (getIdTime(name.slice(PREFIX.length)).getTime() >= keptSince) continue;
    await keyStore.remove(name);
    removed += 1;
  }
  return removed;
}
