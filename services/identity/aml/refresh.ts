import { AppError } from '../../../domain/errors';
import type { Egress } from '../../../lib/egress/egress';
import { withTemporaryFile } from '../../../lib/temporary-file';
import { AmlList } from '../../../models/identity/aml/aml-list';
import type { AmlListRecord } from '../../../models/identity/aml/aml-list';
import { egressExceptionsOf } from '../../platform/access/organisations';
import type { Platform } from '../../platform/platform';
import { downloadList } from './download';
import type { Download } from './download';
import { importList } from './import';
import type { ImportReport } from './import';
import { noteAnswer } from './versions';

const HOUR_MILLISECONDS = 3_600_000;

export interface UrlImport {
  code: string;
  organisationId: string | null;
  url: string;
  title?: string | undefined;
  actor?: string | undefined;
}

const NOTHING_KNOWN = { etag: null, lastModified: null } as const;

/**
 * Imports a list from where it is published, and has it fetched again from then on.
 * @returns null where its source says that it still holds what is known
 * @throws AppError as downloadList and importList
 */
export async function importFromUrl(
  platform: Platform,
  egress: Egress,
  { url, ...input }: UrlImport,
  known: Download['known'] = NOTHING_KNOWN,
): Promise<ImportReport | null> {
  const { organisationId } = input;
  const exceptions = organisationId === null ? [] : await egressExceptionsOf(organisationId);
  return withTemporaryFile(async (into) => {
    const fetched = await downloadList(egress, { url, known, exceptions, into });
    if (fetched.kind === 'unchanged') return null;
    const { etag, lastModified } = fetched;
    const source = {
      name: new URL(url).pathname.split('/').at(-1) ?? 'list',
      open: () => into.reading(),
      sibling: () => null,
    };
    return importList(platform, { ...input, source, from: { url, etag, lastModified } });
  });
}

const dueBefore = ({ clock, config }: Platform): Date =>
  new Date(clock.now().getTime() - config.AML_REFRESH_HOURS * HOUR_MILLISECONDS);

/** Ids of the lists whose sources have not answered within the refresh interval, the longest silent first. */
export async function dueLists(platform: Platform): Promise<string[]> {
  const due = await AmlList.find(
    { sourceUrl: { $ne: null }, $or: [{ fetchedAt: null }, { fetchedAt: { $lte: dueBefore(platform) } }] },
    { _id: 1 },
  )
    .sort({ fetchedAt: 1, _id: 1 })
    .lean<Pick<AmlListRecord, '_id'>[]>();
  return due.map(({ _id }) => _id);
}

/** The source holds what it held: the version in use is the newest, if it is the one that was made of it. */
async function noteSame(platform: Platform, list: AmlListRecord): Promise<void> {
  const fetchedAt = platform.clock.now();
  const isInUse = list.sourceVersion === list.currentVersion;
  await noteAnswer(platform, list, isInUse ? { fetchedAt, checkedAt: fetchedAt } : { fetchedAt });
}

async function fetchAgain(platform: Platform, egress: Egress, list: AmlListRecord, url: string): Promise<boolean> {
  const { code, organisationId, sourceVersion } = list;
  // Without the version they came with, validators say nothing.
  const known = sourceVersion == null ? NOTHING_KNOWN : list;
  const report = await importFromUrl(platform, egress, { code, organisationId, url }, known);
  if (report === null) await noteSame(platform, list);
  return report?.status === 'current';
}

/** Whether the next attempt may have another answer. */
const isPassing = (error: unknown): boolean => !(error instanceof AppError) || error.status >= 500;

/**
 * Fetches a list that is due. One that fails keeps its version in use, grows stale, and shows why.
 * @returns whether it has a new version
 * @throws what may pass: its source is down, or something of ours
 */
export async function refreshList(platform: Platform, egress: Egress, listId: string): Promise<boolean> {
  const list = await AmlList.findById(listId).lean<AmlListRecord>();
  if (list?.sourceUrl == null) return false;
  if (list.fetchedAt != null && list.fetchedAt > dueBefore(platform)) return false;
  try {
    return await fetchAgain(platform, egress, list, list.sourceUrl);
  } catch (error) {
    const failure = error instanceof AppError ? error.code : 'internal_error';
    // Whoever came first has done what was to be done.
    if (failure === 'list_changed') return false;
    platform.logger.warn({ list: list.code, failure }, 'A watch list could not be refreshed');
    await AmlList.updateOne({ _id: listId }, { $set: { failure } });
    if (isPassing(error)) throw error;
    return false;
  }
}

/**
 * Fetches every list that is due.
 * @returns how many have a new version
 */
export async function refreshLists(platform: Platform, egress: Egress): Promise<number> {
  let renewed = 0;
  for (const listId of await dueLists(platform)) {
    if (await refreshList(platform, egress, listId).catch(() => false)) renewed += 1;
  }
  return renewed;
}
