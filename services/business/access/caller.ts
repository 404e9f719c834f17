import type { ApiKeyRecord } from '../../../models/platform/access/api-key';
import type { CompanyRecord } from '../../../models/business/settings/company';
import type { Actor, Platform, Scope } from '../../platform/platform';
import type { IdempotentUse } from '../../platform/transactions/idempotency';

/** What an API key is limited to, and who created it. */
export type CallerKey = Pick<ApiKeyRecord, 'allowedIps' | 'expiresAt' | 'ancestors'>;

/**
 * The caller of a use case of the business API. Organisation and permissions come from the credential, `id` is the id
 * of the user or API key, and the company is read once per request.
 */
export interface BusinessCaller extends Scope, Actor {
  readonly company: CompanyRecord;
  /** The API key; null for a user. */
  readonly key: CallerKey | null;
}

/** A request that posts or changes records: who sends it, and under which Idempotency-Key. */
export interface BusinessRequest {
  readonly platform: Platform;
  readonly caller: BusinessCaller;
  /** Undefined without a key. */
  readonly use: IdempotentUse | undefined;
}
