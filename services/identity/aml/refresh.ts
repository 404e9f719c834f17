import { AppError } from '../../../domain/errors';
import type { Egress } from '../../../lib/egress/egress';
import { withTemporaryFile } from '../../../lib/temporary-file';
import { AmlList } from '../../../models/identity/aml/aml-list';
import type { AmlListRecord } from '../../../models/identity/aml/aml-list';
import { getEgressExceptions } from '../../platform/access/organisations';
import type { Platform } from '../../platform/platform';
import { downloadList } from './download';
import type { DownloadRequest } from './download';
import { importList } from './import';
import type { ImportReport } from './import';
import { recordFetch } from './versions';
import { HOUR_MS } from '../../../domain/durations';

export interface UrlImport {
  code: string;
  organisationId: string | null;
  url: string;
  title?: string | undefined;
  actor?: string | undefined;
}

const NO_VALIDATORS = { etag: null, lastModified: null } as const;

/**
 * Imports a list from its URL, and has it fetched periodically from then on.
 * @returns null if the source reports no change
 * @throws AppError like downloadList and importList
 */
export async function importFromUrl(
  platform: Platform,
  egress: Egress,
  { url, ...input }: UrlImport,
  validators: DownloadRequest['known'] = NO_VALIDATORS,
): Promise<ImportReport | null> {
  const { organisationId } = input;
  const exceptions = organisationId === null ? [] : await getEgressExceptions(organisationId);
  return withTemporaryFile(async (into) => {
    const fetched = await downloadList(egress, { url, known: validators, exceptions, organisationId, into });
    if (fetched.kind === 'unchanged') return null;
    const { etag, lastModified } = fetched;
    const source = {
      name: new URL(url).pathname.split('/').at(-1) ?? 'list',
      open: () => into.createReadStream(),
      sibling: () => null,
    };
    return importList(platform, { ...input, source, from: { url, etag, lastModified } });
  });
}

const computeDueBefore = ({ clock, config }: Platform): Date =>
  new Date(clock.now().getTime() - config.AML_REFRESH_HOURS * HOUR_MS);

/** Ids of the lists whose sources have not responded within the refresh interval, longest first. */
export async function findDueLists(platform: Platform): Promise<string[]> {
  const due = await AmlList.find(
    { sourceUrl: { $ne: null }, $or: [{ fetchedAt: null }, { fetchedAt: { $lte: computeDueBefore(platform) } }] },
    { _id: 1 },
  )
    .sort({ fetchedAt: 1, _id: 1 })
    .lean<Pick<AmlListRecord, '_id'>[]>();
  return due.map(({ _id }) => _id);
}

/**
 * Records that the source reports no change: the version in use is confirmed as the newest if it came from the source.
 */
async function recordUnchangedSource(platform: Platform, list: AmlListRecord): Promise<void> {
  const fetchedAt = platform.clock.now();
  const isInUse = list.sourceVersion === list.currentVersion;
  await recordFetch(platform, list, isInUse ? { fetchedAt, checkedAt: fetchedAt } : { fetchedAt });
}

async function refetchList(platform: Platform, egress: Egress, list: AmlListRecord, url: string): Promise<boolean> {
  const { code, organisationId, sourceVersion } = list;
  // Without the version they came with, validators are meaningless.
  const validators = sourceVersion == null ? NO_VALIDATORS : list;
  const report = await importFromUrl(platform, egress, { code, organisationId, url }, validators);
  if (report === null) await recordUnchangedSource(platform, list);
  return report?.status === 'current';
}

/** Whether another attempt may succeed. */
const isTransient = (error: unknown): boolean => !(error instanceof AppError) || error.status >= 500;

/**
 * Fetches a list that is due. If that fails, its version stays in use and the list records the error.
 * @returns whether it has a new version
 * @throws transient errors: of the source or of this service
 */
export async function refreshList(platform: Platform, egress: Egress, listId: string): Promise<boolean> {
  const list = await AmlList.findById(listId).lean<AmlListRecord>();
  if (list?.sourceUrl == null) return false;
  if (list.fetchedAt != null && list.fetchedAt > computeDueBefore(platform)) return false;
  try {
    return await refetchList(platform, egress, list, list.sourceUrl);
  } catch (error) {
    const failure = error instanceof AppError ? error.code : 'internal_error';
    // Another worker has refreshed the list meanwhile.
    if (failure === 'list_changed') return false;
    platform.logger.warn({ list: list.code, failure }, 'A watch list could not be refreshed');
    await AmlList.updateOne({ _id: listId }, { $set: { failure } });
    if (isTransient(error)) throw error;
    return false;
  }
}

/**
 * Fetches every list that is due.
 * @returns the number of lists with a new version
 */
export async function refreshLists(platform: Platform, egress: Egress): Promise<number> {
  let renewed = 0;
  for (const listId of await findDueLists(platform)) {
    if (await refreshList(platform, egress, listId).catch(() => false)) renewed += 1;
  }
  return renewed;
}
