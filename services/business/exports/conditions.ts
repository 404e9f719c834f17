import { readCalendarDate, readLowerInstant, readUpperInstant } from '../../../domain/business/calendar';
import type { DateReading } from '../../../domain/business/calendar';
import type { ExportFilterName, ExportFilters, ExportResource } from '../../../domain/business/exports/exports';
import { readPostedFrom, readPostedUntil } from '../../../domain/business/settings/business-days';
import type { BusinessCalendar } from '../../../domain/business/settings/business-days';
import { requireRangeOrder } from '../../../domain/date-range';
import { invalidRequestError } from '../../../domain/errors';
import type { FieldProblem } from '../../../domain/errors';
import type { ExportRecord } from '../../../models/business/exports/export';
import { buildWordConditions } from '../records/lists';
import type { DerivedSource, EqualFilter, ExportSource } from './source';
import { EXPORT_SOURCES } from './sources';

type Condition = Record<string, unknown>;
type ExportCalendar = BusinessCalendar & Pick<ExportRecord, 'today'>;

type ReadBound = (text: string, calendar: BusinessCalendar) => DateReading<string | Date>;

/** How the bounds of a date filter are read, by the kind of the date. */
const BOUNDS: Record<ExportSource['dated']['kind'], { lower: ReadBound; upper: ReadBound }> = {
  day: {
    lower: (text, { timeZone }) => readCalendarDate(text, timeZone),
    upper: (text, { timeZone }) => readCalendarDate(text, timeZone),
  },
  instant: {
    lower: (text, { timeZone }) => readLowerInstant(text, timeZone),
    upper: (text, { timeZone }) => readUpperInstant(text, timeZone),
  },
  posting: { lower: readPostedFrom, upper: readPostedUntil },
};

/** The filters of a list. */
export function listAcceptedFilters(resource: ExportResource): ExportFilterName[] {
  const source = EXPORT_SOURCES[resource];
  const names = new Set<string>(Object.keys(source.equal));
  if (source.dated.field !== '') for (const name of ['dateFrom', 'dateTo']) names.add(name);
  if (source.search) names.add('search');
  const all: ExportFilterName[] = [
    'status',
    'state',
    'stage',
    'active',
    'customerId',
    'vendorId',
    'invoiceId',
    'productId',
    'warehouseId',
    'categoryId',
    'ownerId',
    'asOf',
    'dateFrom',
    'dateTo',
    'search',
  ];
  return all.filter((name) => names.has(name));
}

/** The values of a filter that accepts several: an array, or separated by commas as in a list. */
const splitChoices = (value: unknown): string[] => [...new Set(String(value).split(','))];

function findValueProblem(filter: EqualFilter | undefined, value: unknown): string | null {
  if (filter?.accepts == null) return null;
  const { accepts, choose } = filter;
  const values = choose === undefined ? [String(value)] : splitChoices(value);
  if (values.every((each) => accepts.includes(each))) return null;
  return `must be one ${choose === undefined ? '' : 'or more '}of ${accepts.join(', ')}`;
}

/** @throws AppError 400 naming each filter that the list does not have, and each value that it does not accept */
export function requireFilters(resource: ExportResource, filters: ExportFilters): void {
  const source = EXPORT_SOURCES[resource];
  const accepted = listAcceptedFilters(resource);
  const problems = Object.entries(filters).flatMap(([name, value]): FieldProblem[] => {
    if (value === undefined) return [];
    const acceptedName = accepted.find((each) => each === name);
    const problem =
      acceptedName === undefined
        ? `is not a filter of ${resource}, which accepts ${accepted.join(', ')}`
        : findValueProblem(source.equal[acceptedName], value);
    return problem === null ? [] : [{ field: `filters.${name}`, problem }];
  });
  if (problems.length > 0)
    throw invalidRequestError(problems, problems.map(({ field, problem }) => `${field}: ${problem}`).join('; '));
}

function buildEqualConditions(
  source: ExportSource | DerivedSource,
  filters: ExportFilters,
  today: string,
): Condition[] {
  return Object.entries(source.equal).flatMap(([name, filter]) => {
    const sent = new Map<string, unknown>(Object.entries(filters)).get(name) ?? filter.otherwise;
    if (sent === undefined || sent === 'all') return [];
    if (filter.choose !== undefined) return [{ ...filter.choose(splitChoices(sent), today) }];
    // `active` is the only boolean filter.
    return [{ [filter.field]: filter.field === 'active' ? sent === 'true' : sent }];
  });
}

function parseBound<T>(field: string, sent: string | undefined, read: (text: string) => DateReading<T>): T | undefined {
  if (sent === undefined) return undefined;
  const reading = read(sent);
  if ('problem' in reading)
    throw invalidRequestError([{ field, problem: reading.problem }], `${field}: ${reading.problem}`);
  return reading.value;
}

function buildDateConditions(
  { dated }: ExportSource | DerivedSource,
  filters: ExportFilters,
  calendar: BusinessCalendar,
): Condition[] {
  const { lower, upper } = BOUNDS[dated.kind];
  const from = parseBound('filters.dateFrom', filters.dateFrom, (text) => lower(text, calendar));
  parseBound('filters.asOf', filters.asOf, (text) => readPostedUntil(text, calendar));
  const to = parseBound('filters.dateTo', filters.dateTo, (text) => upper(text, calendar));
  if (from === undefined && to === undefined) return [];
  requireRangeOrder<Date | string>(
    { field: 'filters.dateFrom', sent: filters.dateFrom, value: from },
    { field: 'filters.dateTo', sent: filters.dateTo, value: to instanceof Date ? new Date(to.getTime() - 1) : to },
  );
  // A day in dateTo is included; an upper time is exclusive.
  const end = dated.kind === 'day' ? '$lte' : '$lt';
  return [
    { [dated.field]: { ...(from === undefined ? {} : { $gte: from }), ...(to === undefined ? {} : { [end]: to }) } },
  ];
}

/**
 * The condition of the rows of an export, in addition to the range of its keys. The filters mean the same as in the
 * list.
 * @param calendar time zone and date of the company when the export was requested
 * @throws AppError 400 naming an invalid date, or `filters.dateFrom` if it is after `filters.dateTo`
 */
export function buildExportCondition(
  organisationId: string,
  resource: ExportResource,
  filters: ExportFilters,
  calendar: ExportCalendar,
): Condition {
  const source = EXPORT_SOURCES[resource];
  const conditions = [
    ...buildEqualConditions(source, filters, calendar.today),
    ...buildDateConditions(source, filters, calendar),
    ...buildWordConditions(filters.search ?? ''),
  ];
  const base = 'base' in source ? source.base : {};
  return { organisationId, ...base, ...(conditions.length === 0 ? {} : { $and: conditions }) };
}
