import type { CheckKind, Finding } from '../../checks/checks';
import type { RiskCode } from '../../checks/risks';

/** The data that a rule can refer to: the session as created, and its effective results. */
export interface RuleSubject {
  session: {
    externalId: string | null;
    language: string | null;
    /** ISO 3166-1 alpha-3: the issuing state of the document, else the expected country. */
    country: string | null;
    metadata: Record<string, unknown> | null;
    contact: { email?: string | undefined; phone?: string | undefined } | null;
    /** Checks submitted by the client, over all steps. */
    attempts: number;
  };
  results: { [K in CheckKind]?: Finding<K> };
  /** Codes of every risk of the decisive attempts, also of those whose action is `ignore`. */
  risks: readonly RiskCode[];
}
