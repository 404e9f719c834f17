import { AmlList } from '../../../models/identity/aml/aml-list';
import type { AmlListRecord } from '../../../models/identity/aml/aml-list';
import { FICTIONAL_LIST } from './catalogue';
import type { Platform } from '../../platform/platform';

/** The watch lists of all organisations, for monitoring. */
export interface ListFigures {
  /** Age of the lists of the installation by code, and of the oldest list of any organisation as `organisations`. */
  ages: { list: string; seconds: number }[];
  held: number;
  failing: number;
  /** Lists of publishers with a version in use. */
  published: number;
  /** Lists that are fetched or were imported, but never had a version in use. */
  neverImported: number;
}

type ListState = Pick<
  AmlListRecord,
  'code' | 'organisationId' | 'checkedAt' | 'currentVersion' | 'heldVersion' | 'failure'
>;

/** Reads the age and state of the watch lists, for metrics. */
export async function readListFigures({ clock }: Platform): Promise<ListFigures> {
  const fields = { code: 1, organisationId: 1, checkedAt: 1, currentVersion: 1, heldVersion: 1, failure: 1 };
  const lists = await AmlList.find({}, fields).lean<ListState[]>();
  const now = clock.now().getTime();
  const ages = new Map<string, number>();
  for (const { code, organisationId, checkedAt } of lists) {
    if (checkedAt === null) continue;
    const list = organisationId === null ? code : 'organisations';
    ages.set(list, Math.max(ages.get(list) ?? 0, (now - checkedAt.getTime()) / 1000));
  }
  return {
    ages: [...ages].map(([list, seconds]) => ({ list, seconds })),
    held: lists.filter(({ heldVersion }) => heldVersion !== null).length,
    failing: lists.filter(({ failure }) => failure !== null).length,
    published: lists.filter(
      ({ organisationId, currentVersion, code }) =>
        organisationId === null && currentVersion !== null && code !== FICTIONAL_LIST.code,
    ).length,
    neverImported: lists.filter(({ currentVersion }) => currentVersion === null).length,
  };
}
