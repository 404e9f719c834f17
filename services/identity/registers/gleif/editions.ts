import { GleifEdition } from '../../../../models/identity/registers/gleif-edition';
import type { GleifEditionRecord } from '../../../../models/identity/registers/gleif-edition';
import { removeEditionRows } from './rows';

/** Every edition there is, the newest first. */
export const listEditions = (): Promise<GleifEditionRecord[]> =>
  GleifEdition.find().sort({ _id: -1 }).lean<GleifEditionRecord[]>();

/** Removes editions that nobody reads any more, also what a killed import left. @returns how many there were */
export async function removeUnusedEditions(): Promise<number> {
  const unused = await GleifEdition.find({ status: { $in: ['superseded', 'failed'] } }).lean<GleifEditionRecord[]>();
  for (const { _id, dataset } of unused) {
    await removeEditionRows(dataset, _id);
    // Last, so that a removal cut short is taken up again.
    await GleifEdition.deleteOne({ _id });
  }
  return unused.length;
}

/** Removes the golden copy: from now on GLEIF itself is asked. @returns how many editions there were */
export async function removeGoldenCopy(): Promise<number> {
  await GleifEdition.updateMany({}, { $set: { status: 'superseded' } });
  return removeUnusedEditions();
}
