import { HOUR_MS } from '../../../domain/durations';
import { AmlList } from '../../../models/identity/aml/aml-list';
import type { AmlListRecord } from '../../../models/identity/aml/aml-list';
import { AmlListVersion } from '../../../models/identity/aml/aml-list-version';
import type { AmlListVersionRecord } from '../../../models/identity/aml/aml-list-version';
import { MAX_EXAMPLES, reportIf } from '../../platform/diagnosis/problem';
import type { Problem } from '../../platform/diagnosis/problem';
import type { Platform } from '../../platform/platform';
import { computeListAge } from '../aml/lists';

const listIds = (lists: readonly AmlListRecord[]): string[] => lists.slice(0, MAX_EXAMPLES).map(({ _id }) => _id);

/** The effect of a version is known within minutes, also with many monitored subjects and after a few failed attempts. */
const MAX_UNPROCESSED_MS = 2 * HOUR_MS;

/** Lists whose current version has not had its effect on monitored subjects determined for too long, the oldest first. */
function listUnprocessed(
  lists: readonly AmlListRecord[],
  versions: readonly AmlListVersionRecord[],
  now: Date,
): { id: string; version: string; since: Date }[] {
  const pending = new Set(versions.filter(({ impact }) => impact === null).map(({ _id }) => _id));
  return lists
    .flatMap(({ _id: id, currentVersion: version, importedAt: since }) =>
      version === null || since === null || !pending.has(version) ? [] : [{ id, version, since }],
    )
    .filter(({ since }) => now.getTime() - since.getTime() > MAX_UNPROCESSED_MS)
    .sort((a, b) => a.since.getTime() - b.since.getTime());
}

/**
 * Watch lists that are too old, whose source cannot be fetched, whose new version waits for confirmation, or whose
 * version has not led to the screenings that it calls for.
 */
export async function diagnoseLists(platform: Platform): Promise<Problem[]> {
  const lists = await AmlList.find({}).sort({ checkedAt: 1 }).lean<AmlListRecord[]>();
  const versions = await AmlListVersion.find({ _id: { $in: lists.map(({ currentVersion }) => currentVersion) } }).lean<
    AmlListVersionRecord[]
  >();
  const stale = lists.filter((list) => {
    const version = versions.find(({ _id }) => _id === list.currentVersion);
    return version !== undefined && computeListAge(platform, list, version).stale;
  });
  const failing = lists.filter(({ failure }) => failure !== null);
  const held = lists.filter(({ heldVersion }) => heldVersion !== null);
  const unprocessed = listUnprocessed(lists, versions, platform.clock.now());
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
    ...reportIf({
      area: 'lists',
      summary: 'Monitored subjects were not screened again for the current version of a watch list',
      count: unprocessed.length,
      since: unprocessed[0]?.since ?? null,
      examples: unprocessed.slice(0, MAX_EXAMPLES).map(({ id, version }) => `${id} (${version})`),
      remedy:
        'Look at the workflow with the id of the version (alv_…) in the Temporal UI: it says why. If it has failed, temporal workflow reset --workflow-id <version> --type FirstWorkflowTask --reason repeat runs it again; no subject is screened twice.',
    }),
  ];
}
