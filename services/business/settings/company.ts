import { toCalendarDate } from '../../../domain/business/calendar';
import { Company } from '../../../models/business/settings/company';
import type { CompanyRecord } from '../../../models/business/settings/company';
import { Organisation } from '../../../models/platform/access/organisation';
import type { OrganisationRecord } from '../../../models/platform/access/organisation';
import type { Platform } from '../../platform/platform';
import type { BusinessCaller } from '../access/caller';
import { ensureBusinessDefaults } from './default-records';

/**
 * The company of an organisation. It is created with defaults if it does not exist, as after an identity-only
 * installation.
 */
export async function getOrCreateCompany(platform: Platform, organisationId: string): Promise<CompanyRecord> {
  const company = await Company.findById(organisationId).lean<CompanyRecord>();
  if (company !== null) return company;
  const organisation = await Organisation.findById(organisationId).lean<OrganisationRecord>();
  return ensureBusinessDefaults(platform, organisationId, { legalName: organisation?.name ?? 'Company' });
}

/** Today in the time zone of the company, `YYYY-MM-DD`. */
export const getCompanyToday = (platform: Platform, caller: BusinessCaller): string =>
  toCalendarDate(platform.clock.now(), caller.company.timeZone);

/** The problem with a posting date in the future. */
export const formatFutureDateProblem = (today: string): string =>
  `must not be after today, ${today}, in the company's time zone`;
