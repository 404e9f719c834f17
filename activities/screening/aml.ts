import { AppError } from '../../domain/errors';
import { MAX_HITS, SESSION_SEARCH_THRESHOLD } from '../../domain/identity/aml/thresholds';
import type { AmlResult } from '../../domain/identity/aml/aml-result';
import type { ScreeningQuery } from '../../domain/identity/aml/query';
import {
  completeScreening,
  ERASED_SCREENING,
  findScreeningForWorkflow,
  summariseScreening,
} from '../../services/identity/aml/completion';
import type { ListHit, ScreeningSummary } from '../../services/identity/aml/completion';
import { buildFictionalSnapshot } from '../../services/identity/aml/fictional';
import { listCurrentVersions, findUsableLists } from '../../services/identity/aml/lists';
import type { UsableList } from '../../services/identity/aml/lists';
import { buildAmlResult } from '../../services/identity/aml/session-result';
import type { CheckOfKind } from '../../models/identity/checks/check';
import { readScreeningQueries } from '../../services/identity/aml/screenings';
import { loadSnapshot } from '../../services/identity/aml/snapshot';
import type { Platform, Scope } from '../../services/platform/platform';
import { withHeartbeat } from '../heartbeat';
import { searchByNames } from './engine';
import type { ScreeningEngine } from './engine';
import type { ListToSearch } from './packed-versions';

export interface AmlActivities {
  /** Runs a screening and records its result, only once however often it is called. */
  runScreening: (input: { screeningId: string }) => Promise<ScreeningSummary>;
}

const toListToSearch = (platform: Platform, { version, objectKey }: UsableList): ListToSearch => ({
  version,
  load: () => (objectKey === null ? buildFictionalSnapshot() : loadSnapshot(platform, objectKey)),
});

/**
 * The lists that are available to a scope.
 * @param codes only these; null for all
 * @throws AppError 503 `lists_unavailable`
 */
export async function openLists(
  platform: Platform,
  scope: Scope,
  codes: readonly string[] | null,
): Promise<UsableList[]> {
  const lists = await findUsableLists(platform, scope, codes);
  // Without `Retry-After`: all attempts fall within seconds, after which the screening fails.
  if (lists.length === 0) throw new AppError('lists_unavailable', 503, 'No watch list is loaded.');
  return lists;
}

/** Searches lists for a subject under all its names; an entry found under several of them is one hit. */
async function searchLists(
  platform: Platform,
  engine: ScreeningEngine,
  lists: readonly UsableList[],
  search: { queries: readonly ScreeningQuery[]; threshold: number },
): Promise<ListHit[]> {
  const found = await searchByNames(
    engine,
    lists.map((list) => toListToSearch(platform, list)),
    search,
  );
  const hits = lists.flatMap((list, at) => (found[at] ?? []).map((hit): ListHit => ({ ...hit, list })));
  hits.sort((a, b) => b.score - a.score);
  return hits.slice(0, MAX_HITS);
}

/** Releases the versions that have been replaced since they were searched. */
export async function releaseReplacedVersions(
  engine: ScreeningEngine,
  scope: Scope,
  searched: readonly UsableList[],
): Promise<void> {
  if (scope.mode === 'live') engine.retain(await listCurrentVersions(searched));
}

/**
 * Screens a subject. Earlier reviews of its hits are applied when the result is recorded.
 * @param search.queries one for each of its names
 * @param search.threshold minimum score of the hits, 0–100
 */
export async function screenSubject(
  platform: Platform,
  engine: ScreeningEngine,
  lists: readonly UsableList[],
  search: { queries: readonly ScreeningQuery[]; threshold: number },
): Promise<AmlResult> {
  return buildAmlResult(lists, await searchLists(platform, engine, lists, search));
}

/** Screens the person of a session. */
export async function screenCheckSubject(
  platform: Platform,
  engine: ScreeningEngine,
  check: CheckOfKind<'aml_screening'>,
): Promise<AmlResult> {
  const query = check.details;
  if (query === null) throw new AppError('name_not_found', 422, 'Neither document nor session names the person.');
  const lists = await openLists(platform, check, null);
  const result = await screenSubject(platform, engine, lists, {
    queries: [query],
    threshold: SESSION_SEARCH_THRESHOLD,
  });
  await releaseReplacedVersions(engine, check, lists);
  return result;
}

/** The activities that screen subjects. */
export const createAmlActivities = (platform: Platform, engine: ScreeningEngine): AmlActivities => ({
  runScreening: ({ screeningId }) =>
    withHeartbeat(async () => {
      const screening = await findScreeningForWorkflow(screeningId);
      if (screening === null) return ERASED_SCREENING;
      if (screening.status !== 'processing') return summariseScreening(screening);
      const queries = await readScreeningQueries(platform, screening);
      const { threshold, lists: codes } = screening;
      const lists = await openLists(platform, screening, codes);
      const hits = await searchLists(platform, engine, lists, { queries, threshold });
      await releaseReplacedVersions(engine, screening, lists);
      return completeScreening(platform, screening, lists, hits);
    }),
});
