import { AmlList } from '../../../models/identity/aml/aml-list';
import type { AmlListRecord } from '../../../models/identity/aml/aml-list';
import { AmlListVersion } from '../../../models/identity/aml/aml-list-version';
import type { AmlListVersionRecord } from '../../../models/identity/aml/aml-list-version';
import { MAX_EXAMPLES, reportIf } from '../../platform/diagnosis/problem';
import type { Problem } from '../../platform/diagnosis/problem';
import type { Platform } from '../../platform/platform';
import { computeAge } from '../aml/lists';

const listIds = (lists: readonly AmlListRecord[]): string[] => lists.slice(0, MAX_EXAMPLES).map(({ _id }) => _id);

/** Watch lists that are too old, whose source cannot be fetched, or whose new version waits for confirmation. */
export async function diagnoseLists(platform: Platform): Promise<Problem[]> {
  const lists = await AmlList.find({}).sort({ checkedAt: 1 }).lean<AmlListRecord[]>();
  const versions = await AmlListVersion.find({ _id: { $in: lists.map(({ currentVersion }) => currentVersion) } }).lean<
    AmlListVersionRecord[]
  >();
  const stale = lists.filter((list) => {
    const version = versions.find(({ _id }) => _id === list.currentVersion);
    return version !== undefined && computeAge(platform, list, version).stale;
  });
  const failing = lists.filter(({ failure }) => failure !== null);
  const held = lists.filter(({ heldVersion }) => heldVersion !== null);
  return [
    ...reportIf({
      area: 'lists',
      summary: `Watch lists are older than ${platform.config.AML_STALE_AFTER_HOURS} hours: screenings report aml_list_stale`,
      count: stale.length,
      since: stale[0]?.checkedAt ?? null,
      examples: listIds(stale),
      remedy: 'npm run admin -- lists refresh, or lists import <file>; see docs/how-to/import-watch-lists.md.',
    }),
    ...reportIf({
      area: 'lists',
      summary: 'The source of a watch list could not be fetched or read',
      count: failing.length,
      since: failing[0]?.checkedAt ?? null,
      examples: failing.slice(0, MAX_EXAMPLES).map(({ _id, failure }) => `${_id} (${failure ?? ''})`),
      remedy: 'Check the network and EGRESS_ALLOW, then npm run admin -- lists refresh. It is tried again every hour.',
    }),
    ...reportIf({
      area: 'lists',
      summary: 'A new version of a watch list lost more than half its entries and waits for confirmation',
      count: held.length,
      since: null,
      examples: listIds(held),
      remedy: 'Compare it with its publisher, then npm run admin -- lists confirm <code> or lists reject <code>.',
    }),
  ];
}
