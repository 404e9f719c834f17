import type { CompanyRecord } from '../../../models/business/settings/company';
import type { Actor, Scope } from '../../platform/platform';

/**
 * Who calls a use case of the business API: organisation and permissions come from the credential, `id` is the user's
 * or API key's, and the company is read once a request for its time zone and defaults.
 */
export interface BusinessCaller extends Scope, Actor {
  readonly company: CompanyRecord;
}
