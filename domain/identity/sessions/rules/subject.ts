import type { CheckKind, Finding } from '../../checks/checks';
import type { RiskCode } from '../../checks/risks';

/** What a rule may look at: the session as it was created and the results that stand. */
export interface RuleSubject {
  session: {
    externalId: string | null;
    language: string | null;
    /** ISO 3166-1 alpha-3: the state of the document read, else the one expected */
    country: string | null;
    metadata: Record<string, unknown> | null;
    contact: { email?: string | undefined; phone?: string | undefined } | null;
    /** checks submitted by the client, over all steps */
    attempts: number;
  };
  results: { [K in CheckKind]?: Finding<K> };
  /** codes of every risk that counts, also those ignored by an action */
  risks: readonly RiskCode[];
}
