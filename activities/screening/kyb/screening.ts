import { AppError } from '../../../domain/errors';
import { listParties, buildPartyScreening } from '../../../domain/identity/kyb/screening';
import type { Party, PartyScreening } from '../../../domain/identity/kyb/screening';
import { MATCH_THRESHOLD } from '../../../domain/identity/aml/thresholds';
import type { AmlResult } from '../../../domain/identity/aml/aml-result';
import { findKybCheckForWorkflow } from '../../../services/identity/kyb/results';
import { computePartyKeys } from '../../../services/identity/kyb/hits';
import { findConcludedCompany, fitPartyHits, recordKybScreening } from '../../../services/identity/kyb/screening';
import type { Platform, Scope } from '../../../services/platform/platform';
import { throwIfCancelled, withHeartbeat } from '../../heartbeat';
import { openLists, releaseReplacedVersions, screenSubject } from '../aml';
import type { ScreeningEngine } from '../engine';

/** Outcome of a screening, shown to operators in the workflow history. */
export type PartiesOutcome = 'clear' | 'match' | 'no_parties' | 'unavailable' | 'screened_before';

export interface KybScreeningActivities {
  /** Screens the company that was found and its people, only once however often it is called. */
  screenParties: (input: { kybId: string }) => Promise<PartiesOutcome>;
}

interface PartiesScreening {
  parties: PartyScreening[];
  listsSearched: AmlResult['listsSearched'];
}

/**
 * Screens each party under all its names, in lists that are read once: a large company has thousands of parties.
 * @throws AppError 503 `lists_unavailable`; CancelledFailure once another attempt has taken over
 */
async function screenAllParties(
  platform: Platform,
  engine: ScreeningEngine,
  scope: Scope,
  parties: readonly Party[],
): Promise<PartiesScreening> {
  const lists = await openLists(platform, scope, null);
  const screened: PartiesScreening = { parties: [], listsSearched: [] };
  for (const party of parties) {
    throwIfCancelled();
    const { queries } = party;
    const keys = await computePartyKeys(platform, scope, queries);
    const { hits, listsSearched } = await screenSubject(platform, engine, lists, {
      queries,
      threshold: MATCH_THRESHOLD,
    });
    screened.parties.push(buildPartyScreening(party, keys[0].subjectKey, hits));
    screened.listsSearched = listsSearched;
  }
  await releaseReplacedVersions(engine, scope, lists);
  return screened;
}

/** The activities that screen companies and their people. */
export function createKybScreeningActivities(platform: Platform, engine: ScreeningEngine): KybScreeningActivities {
  const screen = async (kybId: string): Promise<PartiesOutcome> => {
    const check = await findKybCheckForWorkflow(kybId);
    if (check?.status !== 'processing' || (check.screening ?? null) !== null) return 'screened_before';
    const detail = findConcludedCompany(check);
    const parties = detail === null ? [] : listParties(detail);
    if (parties.length === 0) return 'no_parties';
    try {
      const screened = await screenAllParties(platform, engine, check, parties);
      const stored = { ...screened, parties: fitPartyHits(platform, check, screened.parties) };
      await recordKybScreening(kybId, { status: 'completed', ...stored, at: platform.clock.now() });
      return screened.parties.some(({ match }) => match) ? 'match' : 'clear';
    } catch (error) {
      // The absence of lists is final; any other error is retried.
      if (!(error instanceof AppError) || error.code !== 'lists_unavailable') throw error;
      await recordKybScreening(kybId, { status: 'unavailable', reason: error.code, at: platform.clock.now() });
      return 'unavailable';
    }
  };
  return { screenParties: ({ kybId }) => withHeartbeat(() => screen(kybId)) };
}
