import { GleifEdition } from '../../../../models/identity/registers/gleif-edition';
import type { GleifEditionRecord } from '../../../../models/identity/registers/gleif-edition';
import { removeEditionRows } from './rows';

/** All editions, newest first. */
export const listEditions = (): Promise<GleifEditionRecord[]> =>
  GleifEdition.find().sort({ _id: -1 }).lean<GleifEditionRecord[]>();

/** Removes unused editions, including those of interrupted imports. @returns the number of removed editions */
export async function removeUnusedEditions(): Promise<number> {
  const unused = await GleifEdition.find({ status: { $in: ['superseded', 'failed'] } }).lean<GleifEditionRecord[]>();
  for (const { _id, dataset } of unused) {
    await removeEditionRows(dataset, _id);
    // Removed last, so that an interrupted removal is resumed.
    await GleifEdition.deleteOne({ _id });
  }
  return unused.length;
}

/** Removes the golden copy, after which GLEIF itself is queried. @returns the number of removed editions */
export async function removeGoldenCopy(): Promise<number> {
  await GleifEdition.updateMany({}, { $set: { status: 'superseded' } });
  return removeUnusedEditions();
}
