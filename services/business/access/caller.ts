import type { CompanyRecord } from '../../../models/business/settings/company';
import type { Actor, Scope } from '../../platform/platform';

/**
 * The caller of a use case of the business API. Organisation and permissions come from the credential, `id` is the id
 * of the user or API key, and the company is read once per request.
 */
export interface BusinessCaller extends Scope, Actor {
  readonly company: CompanyRecord;
}
