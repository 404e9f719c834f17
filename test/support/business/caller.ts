import { Company } from '../../../models/business/settings/company';
import type { CompanyRecord } from '../../../models/business/settings/company';
import type { BusinessCaller } from '../../../services/business/access/caller';
import type { BusinessClient } from './client';

/** The caller of services that a test calls without a request; it has no permissions. */
export async function readCaller({ tenant }: BusinessClient): Promise<BusinessCaller> {
  const { organisationId } = tenant;
  const company = await Company.findById(organisationId).orFail().lean<CompanyRecord>();
  return { organisationId, mode: 'live', id: 'test', permissions: new Set<string>(), company, key: null };
}
