import { AppError, invalidFieldError, notFoundError } from '../../../domain/errors';
import { AmlList } from '../../../models/identity/aml/aml-list';
import type { AmlListRecord } from '../../../models/identity/aml/aml-list';
import { AmlListChange } from '../../../models/identity/aml/aml-list-change';
import type { AmlListChangeRecord } from '../../../models/identity/aml/aml-list-change';
import { AML_VERSION_STATUSES, AmlListVersion } from '../../../models/identity/aml/aml-list-version';
import type { AmlListVersionRecord } from '../../../models/identity/aml/aml-list-version';
import { AmlScreening } from '../../../models/identity/aml/aml-screening';
import type { SearchedListRecord } from '../../../models/identity/aml/aml-screening';
import { OLDEST_FIRST, readCursorPage } from '../../platform/lists/cursor-pages';
import type { CursorPage, CursorPageRequest } from '../../platform/lists/cursor-pages';
import { toScope } from '../../platform/platform';
import type { Platform, Scope } from '../../platform/platform';
import { FICTIONAL_LIST, PUBLISHED_LISTS } from './catalogue';
import { HOUR_MS } from '../../../domain/durations';

/** Time after which an operator may have loaded a list. */
const RETRY_AFTER_SECONDS = 300;

/** A version in use, with its age. */
export interface UsableList extends SearchedListRecord {
  listId: string;
  /** Key of the snapshot; null for the fictional list, which is part of the service. */
  objectKey: string | null;
}

/** Version of the fictional list; increase it with every change of its file. */
const FICTIONAL_VERSION = 'fictional-1';

const buildFictionalList = (now: Date): UsableList => ({
  listId: FICTIONAL_LIST.code,
  list: FICTIONAL_LIST.code,
  title: FICTIONAL_LIST.title,
  version: FICTIONAL_VERSION,
  importedAt: now,
  ageHours: 0,
  stale: false,
  objectKey: null,
});

const buildVisibleFilter = (scope: Scope) => ({ organisationId: { $in: [null, scope.organisationId] } });

/**
 * The age of a list counts from the date that its publisher states in it: an old file is old however recently it was
 * imported. A list without such a date ages from the last confirmation that it is the newest.
 */
export function computeListAge(
  platform: Platform,
  list: AmlListRecord,
  version: AmlListVersionRecord,
): Pick<UsableList, 'ageHours' | 'stale'> {
  const since = version.publishedAt ?? list.checkedAt ?? list.importedAt ?? platform.clock.now();
  const hours = (platform.clock.now().getTime() - since.getTime()) / HOUR_MS;
  return { ageHours: Math.max(0, Math.floor(hours)), stale: hours >= platform.config.AML_STALE_AFTER_HOURS };
}

/** Codes that a request may name: the published lists and the organisation's own. */
async function listKnownCodes(scope: Scope): Promise<string[]> {
  if (scope.mode === 'test') return [FICTIONAL_LIST.code];
  const own = await AmlList.find(buildVisibleFilter(scope), { code: 1 }).lean<Pick<AmlListRecord, 'code'>[]>();
  return [...new Set([...Object.keys(PUBLISHED_LISTS), ...own.map(({ code }) => code)])].sort();
}

/** @throws AppError 400 with the unknown codes and the accepted ones */
export async function requireKnownLists(scope: Scope, codes: readonly string[] | null): Promise<void> {
  if (codes === null) return;
  const acceptedCodes = await listKnownCodes(scope);
  const unknown = codes.filter((code) => !acceptedCodes.includes(code));
  if (unknown.length === 0) return;
  throw invalidFieldError(
    'lists',
    `contains unknown lists: ${unknown.join(', ')}; accepts ${acceptedCodes.join(', ')}`,
  );
}

/** The lists that are searched: the requested ones, or all loaded ones; in test mode only the fictional list. */
export async function findUsableLists(
  platform: Platform,
  scope: Scope,
  codes: readonly string[] | null,
): Promise<UsableList[]> {
  if (scope.mode === 'test') return [buildFictionalList(platform.clock.now())];
  const lists = await AmlList.find({
    ...buildVisibleFilter(scope),
    currentVersion: { $ne: null },
    ...(codes === null ? {} : { code: { $in: codes } }),
  })
    .sort({ _id: 1 })
    .lean<AmlListRecord[]>();
  const versions = await AmlListVersion.find({
    _id: { $in: lists.flatMap(({ currentVersion }) => (currentVersion === null ? [] : [currentVersion])) },
  }).lean<AmlListVersionRecord[]>();
  return lists.flatMap((list) => {
    const version = versions.find(({ _id }) => _id === list.currentVersion);
    if (version === undefined) return [];
    return [
      {
        listId: list._id,
        list: list.code,
        title: list.title,
        version: version._id,
        importedAt: version.importedAt,
        objectKey: version.objectKey,
        ...computeListAge(platform, list, version),
      },
    ];
  });
}

const listsUnavailableError = (): AppError =>
  new AppError(
    'lists_unavailable',
    503,
    'No watch list for this screening is loaded, so nothing was screened. An operator imports one with `npm run admin -- lists import`.',
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  );

/** @throws AppError 503 `lists_unavailable`: a list that was not searched must not be reported as no match */
export async function requireUsableLists(
  platform: Platform,
  scope: Scope,
  codes: readonly string[] | null,
): Promise<UsableList[]> {
  const lists = await findUsableLists(platform, scope, codes);
  if (lists.length === 0) throw listsUnavailableError();
  return lists;
}

/** A list as an organisation sees it, loaded or not. */
export interface ListOverview {
  code: string;
  title: string;
  own: boolean;
  /** Whether screenings search it. */
  loaded: boolean;
  list: AmlListRecord | null;
  current: AmlListVersionRecord | null;
  held: AmlListVersionRecord | null;
  ageHours: number | null;
  stale: boolean;
}

const NOT_LOADED = {
  own: false,
  loaded: false,
  list: null,
  current: null,
  held: null,
  ageHours: null,
  stale: false,
} as const;

/** All lists available to an organisation, with their versions in use. */
export async function getListOverviews(platform: Platform, scope: Scope): Promise<ListOverview[]> {
  // The fictional list is part of the service: it has no version that was imported.
  if (scope.mode === 'test') return [{ ...FICTIONAL_LIST, ...NOT_LOADED, loaded: true }];
  const lists = await AmlList.find(buildVisibleFilter(scope)).sort({ _id: 1 }).lean<AmlListRecord[]>();
  const ids = lists.flatMap(({ currentVersion, heldVersion }) => [currentVersion, heldVersion]);
  const versions = await AmlListVersion.find({ _id: { $in: ids } }).lean<AmlListVersionRecord[]>();
  const findVersion = (id: string | null): AmlListVersionRecord | null =>
    versions.find(({ _id }) => _id === id) ?? null;
  const loaded = lists.map((list): ListOverview => {
    const current = findVersion(list.currentVersion);
    const age = current === null ? { ageHours: null, stale: false } : computeListAge(platform, list, current);
    return {
      code: list.code,
      title: list.title,
      own: list.organisationId !== null,
      loaded: current !== null,
      list,
      current,
      held: findVersion(list.heldVersion),
      ...age,
    };
  });
  const notLoaded = Object.entries(PUBLISHED_LISTS).filter(([code]) => !loaded.some((each) => each.code === code));
  return [...loaded, ...notLoaded.map(([code, { title }]): ListOverview => ({ code, title, ...NOT_LOADED }))];
}

/**
 * The list that a code names. Of two that earlier versions accepted with one code it is the organisation's own; null
 * sorts before every id.
 */
const findListByCode = (scope: Scope, code: string): Promise<AmlListRecord | null> =>
  AmlList.findOne({ ...buildVisibleFilter(scope), code })
    .sort({ organisationId: -1 })
    .lean<AmlListRecord>();

/** The completely stored versions of a list. @throws AppError 404 for a list that the organisation does not see */
async function buildVersionFilter(scope: Scope, code: string) {
  const list = scope.mode === 'test' ? null : await findListByCode(scope, code);
  if (list === null) throw notFoundError('list');
  return { listId: list._id, status: { $in: AML_VERSION_STATUSES } };
}

/** Completely stored versions of a list with their differences, newest first. @throws AppError 404 */
export const listVersions = async (scope: Scope, code: string, limit: number): Promise<AmlListVersionRecord[]> =>
  AmlListVersion.find(await buildVersionFilter(scope, code))
    .sort({ _id: -1 })
    .limit(limit)
    .lean<AmlListVersionRecord[]>();

/** A version of a list. @throws AppError 404, also for a version of another list */
export async function getListVersion(scope: Scope, code: string, id: string): Promise<AmlListVersionRecord> {
  const filter = await buildVersionFilter(scope, code);
  const found = await AmlListVersion.findOne({ ...filter, _id: id }).lean<AmlListVersionRecord>();
  if (found === null) throw notFoundError('version of the list');
  return found;
}

/** A page of the changes of entries by a version. */
export const listVersionChanges = (
  versionId: string,
  page: CursorPageRequest,
): Promise<CursorPage<AmlListChangeRecord>> =>
  readCursorPage(AmlListChange, { versionId }, page, { order: OLDEST_FIRST });

/** Versions that may still be searched; all others may be released. */
export async function listCurrentVersions(searched: readonly UsableList[]): Promise<ReadonlySet<string>> {
  const lists = await AmlList.find({ currentVersion: { $ne: null } }, { currentVersion: 1 }).lean<
    Pick<AmlListRecord, 'currentVersion'>[]
  >();
  return new Set([
    FICTIONAL_VERSION,
    ...searched.map(({ version }) => version),
    ...lists.flatMap(({ currentVersion }) => currentVersion ?? []),
  ]);
}

/** Number of an organisation's monitored subjects that were screened again because of a version. */
export const countRescreened = (scope: Scope, versionId: string): Promise<number> =>
  AmlScreening.countDocuments({ ...toScope(scope), origin: 'monitor', causeVersion: versionId });
