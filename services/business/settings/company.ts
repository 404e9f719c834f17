import { toCalendarDate } from '../../../domain/business/calendar';
import { invalidFieldError } from '../../../domain/errors';
import { SharedReads } from '../../../lib/shared-reads';
import { Company } from '../../../models/business/settings/company';
import type { CompanyRecord } from '../../../models/business/settings/company';
import { Organisation } from '../../../models/platform/access/organisation';
import type { OrganisationRecord } from '../../../models/platform/access/organisation';
import type { Platform } from '../../platform/platform';
import type { BusinessCaller } from '../access/caller';
import { ensureBusinessDefaults } from './default-records';

class CompanyReads extends SharedReads<CompanyRecord | null> {
  constructor() {
    super(async (organisationId) => Company.findById(organisationId).lean<CompanyRecord>());
  }
}

/**
 * The company of an organisation. It is created with defaults if it does not exist, as after an identity-only
 * installation.
 */
export async function getOrCreateCompany(platform: Platform, organisationId: string): Promise<CompanyRecord> {
  const company = await platform.singletons.get(CompanyReads).read(organisationId);
  if (company !== null) return company;
  const organisation = await Organisation.findById(organisationId).lean<OrganisationRecord>();
  return ensureBusinessDefaults(platform, organisationId, { legalName: organisation?.name ?? 'Company' });
}

/**
 * Today's date in the company's time zone, `YYYY-MM-DD`, never earlier than `earliestToday`. That is the date which the
 * company had when its time zone changed: after a move to the west, its latest documents would otherwise be dated in the
 * future, and their series would accept no document until the new zone had reached that date.
 */
export function computeToday({ timeZone, earliestToday = '' }: CompanyDay, now: Date): string {
  const date = toCalendarDate(now, timeZone);
  return date > earliestToday ? date : earliestToday;
}

type CompanyDay = Pick<CompanyRecord, 'timeZone' | 'earliestToday'>;

/** Today in the calendar of the company, `YYYY-MM-DD`. */
export const getCompanyToday = (platform: Platform, caller: BusinessCaller): string =>
  computeToday(caller.company, platform.clock.now());

/** The problem with a posting date in the future. */
export const formatFutureDateProblem = (today: string): string =>
  `must not be after today, ${today}, in the company's time zone`;

/**
 * The posting date of a request, by default today. Postings that wait for a lock resolve it under the lock if nothing
 * that they compute before depends on it, so that one which waits beyond midnight is not dated on the day before.
 * @throws AppError 400 for a future date
 */
export function resolvePostingDate(
  platform: Platform,
  caller: BusinessCaller,
  date: string | undefined,
  field = 'date',
): string {
  const today = getCompanyToday(platform, caller);
  if (date !== undefined && date > today) throw invalidFieldError(field, formatFutureDateProblem(today));
  return date ?? today;
}
