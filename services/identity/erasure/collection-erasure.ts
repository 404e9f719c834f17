import type { ClientSession } from 'mongoose';
import type { ErasedRows } from '../../../domain/identity/erasure/erasure';
import type { ErasureRecord } from '../../../models/identity/erasure/erasure';

/** The record that is being erased: who it belongs to, its own id, and `ids`, which names its parts too. */
export type ErasureTarget = Pick<ErasureRecord, '_id' | 'organisationId' | 'mode' | 'kind' | 'recordId' | 'ids'>;

/**
 * How one collection forgets a person record. `erase` runs in a transaction of its own that also notes what it did, so
 * it happens once however often the erasure is taken up again; it must filter by organisation, mode and `target.ids`.
 */
export interface CollectionErasure {
  /** name of the collection in MongoDB; each has one entry */
  collection: string;
  erase: (target: ErasureTarget, mongoSession: ClientSession) => Promise<ErasedRows>;
}

/** The tenant every filter of an erasure begins with. */
export const toTenantFilter = ({
  organisationId,
  mode,
}: ErasureTarget): Pick<ErasureTarget, 'organisationId' | 'mode'> => ({
  organisationId,
  mode,
});

export const countRemoved = ({ deletedCount }: { deletedCount: number }): ErasedRows => ({
  removed: deletedCount,
  anonymised: 0,
});

export const countAnonymised = ({ modifiedCount }: { modifiedCount: number }): ErasedRows => ({
  removed: 0,
  anonymised: modifiedCount,
});
