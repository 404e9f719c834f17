import type { KybProviderName } from '../../../domain/identity/kyb/company';
import { selectCompany } from '../../../domain/identity/kyb/match';
import type { Egress } from '../../../lib/egress/egress';
import { findKybCheckForWorkflow, recordAnswer, findKybSource } from '../../../services/identity/kyb/results';
import type { Platform } from '../../../services/platform/platform';
import { withHeartbeat } from '../../heartbeat';
import { createKybProviders } from './providers';

/** Maximum number of candidates that are kept per register. */
const MAX_CANDIDATES = 10;

/** Outcome of a query, shown to operators in the workflow history. */
export type RegisterOutcome = 'matched' | 'several' | 'none' | 'asked_before';

export interface KybActivities {
  /**
   * Queries one register about the company of a check and records its response, only once however often it is called.
   */
  askRegister: (input: { kybId: string; provider: KybProviderName }) => Promise<RegisterOutcome>;
}

/** The activities that query registers about companies. */
export function createKybActivities(platform: Platform, egress: Egress): KybActivities {
  const providers = createKybProviders(platform, egress);

  const queryRegister = async (kybId: string, name: KybProviderName): Promise<RegisterOutcome> => {
    const check = await findKybCheckForWorkflow(kybId);
    if (check === null || findKybSource(check, name)?.status !== 'pending') return 'asked_before';
    const { query, organisationId, mode } = check;
    const request = { query, scope: { organisationId, mode } };
    const provider = providers[name];
    const { candidates: found, copy } = await provider.search(request);
    const { candidates, chosen } = selectCompany(query, found);
    const detail = chosen === null ? null : await provider.fetchDetail(chosen, request);
    await recordAnswer(kybId, {
      provider: name,
      status: 'answered',
      candidates: candidates.slice(0, MAX_CANDIDATES),
      detail,
      copy,
      at: platform.clock.now(),
    });
    if (detail !== null) return 'matched';
    return candidates.length > 0 ? 'several' : 'none';
  };

  return { askRegister: ({ kybId, provider }) => withHeartbeat(() => queryRegister(kybId, provider)) };
}
