import { AppError } from '../../../domain/errors';
import { partiesOf, partyScreening } from '../../../domain/identity/kyb/screening';
import type { Party, PartyScreening } from '../../../domain/identity/kyb/screening';
import { MATCH_THRESHOLD } from '../../../domain/identity/aml/thresholds';
import type { AmlResult } from '../../../domain/identity/aml/aml-result';
import { kybOfWorkflow } from '../../../services/identity/kyb/results';
import { foundCompany, recordScreening } from '../../../services/identity/kyb/screening';
import type { Platform, Scope } from '../../../services/platform/platform';
import { withHeartbeat } from '../../heartbeat';
import { screenSubject } from '../aml';
import type { ScreeningEngine } from '../engine';

const HEARTBEAT_MS = 5000;

/** What the watch lists came to, for the operator's eye. */
export type PartiesOutcome = 'clear' | 'match' | 'nobody' | 'unavailable' | 'screened_before';

export interface KybScreeningActivities {
  /** Puts the company that was found and the people in it to the watch lists, once, however often it is called. */
  screenParties: (input: { kybId: string }) => Promise<PartiesOutcome>;
}

interface Found {
  parties: PartyScreening[];
  listsSearched: AmlResult['listsSearched'];
}

/** @throws AppError 503 `lists_unavailable` */
async function search(
  platform: Platform,
  engine: ScreeningEngine,
  scope: Scope,
  parties: readonly Party[],
): Promise<Found> {
  const found: Found = { parties: [], listsSearched: [] };
  for (const party of parties) {
    const results: AmlResult[] = [];
    for (const query of party.queries) {
      results.push(await screenSubject(platform, engine, scope, { query }, MATCH_THRESHOLD));
    }
    found.parties.push(partyScreening(party, results));
    found.listsSearched = results[0]?.listsSearched ?? found.listsSearched;
  }
  return found;
}

export function createKybScreeningActivities(platform: Platform, engine: ScreeningEngine): KybScreeningActivities {
  const screen = async (kybId: string): Promise<PartiesOutcome> => {
    const check = await kybOfWorkflow(kybId);
    if (check?.status !== 'processing' || (check.screening ?? null) !== null) return 'screened_before';
    const detail = foundCompany(check);
    const parties = detail === null ? [] : partiesOf(detail);
    if (parties.length === 0) return 'nobody';
    try {
      const found = await search(platform, engine, check, parties);
      await recordScreening(kybId, { status: 'completed', ...found, at: platform.clock.now() });
      return found.parties.some(({ match }) => match) ? 'match' : 'clear';
    } catch (error) {
      // That no list is loaded is known at once; anything else is tried again.
      if (!(error instanceof AppError) || error.code !== 'lists_unavailable') throw error;
      await recordScreening(kybId, { status: 'unavailable', reason: error.code, at: platform.clock.now() });
      return 'unavailable';
    }
  };
  return { screenParties: ({ kybId }) => withHeartbeat(HEARTBEAT_MS, () => screen(kybId)) };
}
