import { AppError } from '../../domain/errors';
import { SESSION_SEARCH_THRESHOLD } from '../../domain/identity/aml/thresholds';
import type { AmlResult } from '../../domain/identity/aml/aml-result';
import type { ScreeningQuery } from '../../domain/identity/aml/query';
import {
  completeScreening,
  ERASED_SCREENING,
  screeningOfWorkflow,
  screeningSummary,
} from '../../services/identity/aml/completion';
import type { ListHit, ScreeningSummary } from '../../services/identity/aml/completion';
import { fictionalSnapshot } from '../../services/identity/aml/fictional';
import { currentVersions, usableLists } from '../../services/identity/aml/lists';
import type { UsableList } from '../../services/identity/aml/lists';
import { amlResultOf } from '../../services/identity/aml/session-result';
import { entryKey, rememberedReviews, subjectKeysOf } from '../../services/identity/aml/subjects';
import type { CheckOf } from '../../models/identity/checks/check';
import { queryOf } from '../../services/identity/aml/screenings';
import { sessionOf } from '../../services/identity/checks/contextual-risks';
import { loadSnapshot } from '../../services/identity/aml/snapshot';
import type { Platform, Scope } from '../../services/platform/platform';
import { withHeartbeat } from '../heartbeat';
import type { ListToSearch, ScreeningEngine } from './engine';

const HEARTBEAT_MS = 5000;
const MOST_HITS = 50;

export interface AmlActivities {
  /** Answers a screening and records the answer, once, however often it is called. */
  runScreening: (input: { screeningId: string }) => Promise<ScreeningSummary>;
}

const toSearch = (platform: Platform, { version, objectKey }: UsableList): ListToSearch => ({
  version,
  load: () => (objectKey === null ? fictionalSnapshot() : loadSnapshot(platform, objectKey)),
});

/** Searches what a scope may search. @throws AppError 503 `lists_unavailable` */
async function searchLists(
  platform: Platform,
  engine: ScreeningEngine,
  scope: Scope,
  question: { query: ScreeningQuery; threshold: number; lists: readonly string[] | null },
): Promise<{ lists: UsableList[]; hits: ListHit[] }> {
  const lists = await usableLists(platform, scope, question.lists);
  // Without the time a client is asked to wait: the attempts are over in seconds, and the answer is that there is none.
  if (lists.length === 0) throw new AppError('lists_unavailable', 503, 'No watch list is loaded.');
  const found = await engine.search(
    lists.map((list) => toSearch(platform, list)),
    question.query,
    question.threshold,
  );
  const hits = lists.flatMap((list, at) => (found[at] ?? []).map((hit): ListHit => ({ ...hit, list })));
  hits.sort((a, b) => b.score - a.score);
  if (scope.mode === 'live') engine.retain(await currentVersions(lists));
  return { lists, hits: hits.slice(0, MOST_HITS) };
}

/**
 * What the lists say of a subject; hits called a mistake before are shown and do not count.
 * @param threshold score from which hits are kept, 0–100
 * @throws AppError 503 `lists_unavailable`
 */
export async function screenSubject(
  platform: Platform,
  engine: ScreeningEngine,
  scope: Scope,
  { query, externalId = null }: { query: ScreeningQuery; externalId?: string | null },
  threshold: number,
): Promise<AmlResult> {
  const { lists, hits } = await searchLists(platform, engine, scope, { query, threshold, lists: null });
  const reviews = await rememberedReviews(scope, await subjectKeysOf(platform, scope, query, externalId));
  return amlResultOf(
    lists,
    hits,
    (hit) => reviews.get(entryKey(hit.list.listId, hit.entry.id, hit.entry.hash)) ?? null,
  );
}

/** What the lists say of the person of a session. */
export async function examineSubject(
  platform: Platform,
  engine: ScreeningEngine,
  check: CheckOf<'aml_screening'>,
): Promise<AmlResult> {
  const query = check.details;
  if (query === null) throw new AppError('name_not_found', 422, 'Neither document nor session names the person.');
  const session = await sessionOf(check, null);
  return screenSubject(
    platform,
    engine,
    check,
    { query, externalId: session?.externalId ?? null },
    SESSION_SEARCH_THRESHOLD,
  );
}

export const createAmlActivities = (platform: Platform, engine: ScreeningEngine): AmlActivities => ({
  runScreening: ({ screeningId }) =>
    withHeartbeat(HEARTBEAT_MS, async () => {
      const screening = await screeningOfWorkflow(screeningId);
      if (screening === null) return ERASED_SCREENING;
      if (screening.status !== 'processing') return screeningSummary(screening);
      const query = await queryOf(platform, screening);
      const { threshold, lists: codes } = screening;
      const { lists, hits } = await searchLists(platform, engine, screening, { query, threshold, lists: codes });
      return completeScreening(platform, screening, lists, hits);
    }),
});
