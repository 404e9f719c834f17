import type { ClientSession } from 'mongoose';
import type { ErasedRows } from '../../../domain/identity/erasure/erasure';
import type { ErasureRecord } from '../../../models/identity/erasure/erasure';

/** The record to erase: its tenant, its id, and `ids`, which includes its parts. */
export type ErasureTarget = Pick<
  ErasureRecord,
  '_id' | 'organisationId' | 'mode' | 'kind' | 'recordId' | 'ids' | 'requestedAt'
>;

/**
 * Erasure of one collection. `erase` runs in a transaction of its own that also records its result, so that it happens
 * once however often the erasure is resumed; it must filter by organisation, mode and `target.ids`.
 */
export interface CollectionErasure {
  /** name of the collection in MongoDB; each has one entry */
  collection: string;
  erase: (target: ErasureTarget, mongoSession: ClientSession) => Promise<ErasedRows>;
}

/** Tenant filter that every query of an erasure must include. */
export const toTenantFilter = ({
  organisationId,
  mode,
}: ErasureTarget): Pick<ErasureTarget, 'organisationId' | 'mode'> => ({
  organisationId,
  mode,
});

/** The result of an erasure that removed rows. */
export const countRemoved = ({ deletedCount }: { deletedCount: number }): ErasedRows => ({
  removed: deletedCount,
  anonymised: 0,
});

/** The result of an erasure that kept rows without what identifies the person. */
export const countAnonymised = ({ modifiedCount }: { modifiedCount: number }): ErasedRows => ({
  removed: 0,
  anonymised: modifiedCount,
});
