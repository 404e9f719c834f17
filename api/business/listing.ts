import { z } from 'zod';
import { readCalendarDate, readLowerInstant, readUpperInstant } from '../../domain/business/calendar';
import type { DateReading } from '../../domain/business/calendar';
import { requireRangeOrder } from '../../domain/date-range';
import { invalidFieldError } from '../../domain/errors';
import type { ActiveFilter, CreatedFilter, ListQuery } from '../../services/business/records/lists';
import { wholeNumberParameter } from '../http/paging';
import { DATE_OR_TIME, MAX_ID } from './fields';

const DATE_DESCRIPTION = 'ISO 8601 date or date-time; a date means that day in the time zone of the company.';
const date = z.string({ error: 'must be an ISO 8601 date or date-time' });

const RECORD_ID = /^[1-9]\d{0,14}$/;

/** The parameters of every list. @param sortable the indexed fields */
export const listParameters = <const F extends readonly [string, ...string[]]>(sortable: F) => ({
  page: wholeNumberParameter('must be a whole number from 1', 1, 999_999_999_999).optional().meta({
    default: 1,
    description:
      'Number of the page. Records that enter or leave the list between two requests move those after them; in the order of ids (`sortBy=id`), with filters that no record leaves, no record is skipped.',
  }),
  pageSize: wholeNumberParameter('must be a whole number from 1 to 100', 1, 100).optional().meta({ default: 20 }),
  search: z
    .string({ error: 'must be given once' })
    .max(200, 'must have at most 200 characters')
    // A regular expression in MongoDB cannot contain a null character.
    .refine((text) => !text.includes('\0'), 'must not contain control characters')
    .optional()
    .meta({
      pattern: '^[^\\u0000]*$',
      description:
        'Search text. Every word must be a prefix of a word in the number, name, code, tax id or reference of a record.',
    }),
  sortBy: z.enum(sortable, { error: `must be one of ${sortable.join(', ')}` }).optional(),
  sortDir: z.enum(['asc', 'desc'], { error: 'must be asc or desc' }).optional(),
  dateFrom: date
    .optional()
    .meta({ ...DATE_OR_TIME, description: `First day or time; must not be after \`dateTo\`. ${DATE_DESCRIPTION}` }),
  dateTo: date.optional().meta({ ...DATE_OR_TIME, description: `Last day or time, inclusive. ${DATE_DESCRIPTION}` }),
});

export const activeParameter = {
  active: z.enum(['true', 'false', 'all'], { error: 'must be true, false or all' }).optional().meta({
    'x-addition': true,
    description: 'Whether to return active records, inactive records or all.',
    default: 'true',
  }),
};

/** A filter by one or more of the values, separated by commas or repeated; an addition to the contract. */
export const choicesParameter = <const T extends readonly [string, ...string[]]>(values: T, byDefault?: T[number]) =>
  z
    .unknown()
    .transform((sent, context): T[number][] => {
      const parts = (Array.isArray(sent) ? sent : [sent]).flatMap((part) => String(part).split(','));
      if (parts.every((part) => values.includes(part))) return values.filter((value) => parts.includes(value));
      context.addIssue({ code: 'custom', message: `must be one or more of ${values.join(', ')}` });
      return z.NEVER;
    })
    .optional()
    .meta({
      'x-addition': true,
      type: 'array',
      items: { type: 'string', enum: [...values] },
      minItems: 1,
      description: 'One or more values, separated by commas or in repeated parameters.',
      ...(byDefault === undefined ? {} : { default: [byDefault] }),
    });

/** The most ids that a filter accepts. */
export const MAX_FILTER_IDS = 100;

/** A filter by the ids of one or more records, separated by commas or repeated; an addition to the contract. */
export const recordIdsParameter = (what: string) =>
  z
    .unknown()
    .transform((sent, context): number[] => {
      const parts = (Array.isArray(sent) ? sent : [sent]).flatMap((part) => String(part).split(','));
      const tooMany = parts.length > MAX_FILTER_IDS;
      if (!tooMany && parts.every((part) => RECORD_ID.test(part))) return [...new Set(parts.map(Number))];
      const limit = `at most ${MAX_FILTER_IDS}, separated by commas`;
      context.addIssue({ code: 'custom', message: `must be the number of ${what}, or several numbers (${limit})` });
      return z.NEVER;
    })
    .optional()
    .meta({
      'x-addition': true,
      type: 'array',
      items: { type: 'integer', minimum: 1, maximum: MAX_ID },
      minItems: 1,
      maxItems: MAX_FILTER_IDS,
      description: `One or more ids of ${what}, separated by commas or in repeated parameters.`,
    });

/** A filter by the id of a record; an addition to the contract. */
export const recordIdParameter = (what: string) =>
  z
    .string({ error: `must be the number of ${what}` })
    .regex(RECORD_ID, `must be the number of ${what}`)
    .transform(Number)
    .optional()
    .meta({ type: 'integer', minimum: 1, maximum: MAX_ID, 'x-addition': true });

export interface ListParameters {
  page?: number | undefined;
  pageSize?: number | undefined;
  search?: string | undefined;
  sortBy?: string | undefined;
  sortDir?: 'asc' | 'desc' | undefined;
  dateFrom?: string | undefined;
  dateTo?: string | undefined;
}

/** The query with its defaults: page 1 of 20 records, in the default order of the list. */
export const toListRequest = (sent: ListParameters, order: { by: string; dir: 'asc' | 'desc' }): ListQuery => ({
  page: sent.page ?? 1,
  pageSize: sent.pageSize ?? 20,
  search: sent.search,
  sortBy: sent.sortBy ?? order.by,
  sortDir: sent.sortDir ?? (sent.sortBy === undefined ? order.dir : 'asc'),
});

function readDateParameter<T>(
  field: string,
  value: string | undefined,
  reader: (text: string) => DateReading<T>,
): T | undefined {
  if (value === undefined) return undefined;
  const reading = reader(value);
  if ('problem' in reading) throw invalidFieldError(field, reading.problem);
  return reading.value;
}

/** Asserts that dateFrom is not after dateTo. @throws AppError 400 */
const requireDateOrder = <T extends Date | string>(
  { dateFrom, dateTo }: ListParameters,
  first: T | undefined,
  last: T | undefined,
): void =>
  requireRangeOrder(
    { field: 'dateFrom', sent: dateFrom, value: first },
    { field: 'dateTo', sent: dateTo, value: last },
  );

type Dates = Pick<ListParameters, 'dateFrom' | 'dateTo'>;
type ReadInstant = (text: string) => DateReading<Date>;

/** dateFrom and dateTo as a range of times: its inclusive start and its exclusive end. @throws AppError 400 */
export function parseInstantRange(
  sent: Dates,
  read: { from: ReadInstant; until: ReadInstant },
): { from: Date | undefined; until: Date | undefined } {
  const from = readDateParameter('dateFrom', sent.dateFrom, read.from);
  const until = readDateParameter('dateTo', sent.dateTo, read.until);
  requireDateOrder(sent, from, until && new Date(until.getTime() - 1));
  return { from, until };
}

/** dateFrom and dateTo as a filter of `createdAt`; a date in dateTo includes the whole day. @throws AppError 400 */
export function parseCreatedFilter(sent: Dates, timeZone: string): CreatedFilter {
  const { from, until } = parseInstantRange(sent, {
    from: (text) => readLowerInstant(text, timeZone),
    until: (text) => readUpperInstant(text, timeZone),
  });
  return { createdFrom: from, createdUntil: until };
}

/** The filters of a list that hides inactive records unless they are requested. @throws AppError 400 */
export const parseActiveFilter = (
  sent: ListParameters & { active?: ActiveFilter['active'] | undefined },
  timeZone: string,
): ActiveFilter & CreatedFilter => ({ active: sent.active ?? 'true', ...parseCreatedFilter(sent, timeZone) });

/** dateFrom and dateTo as a filter of a date field, both inclusive. @throws AppError 400 */
export function parseCalendarFilter(
  sent: ListParameters,
  timeZone: string,
): { from?: string | undefined; to?: string | undefined } {
  const from = readDateParameter('dateFrom', sent.dateFrom, (text) => readCalendarDate(text, timeZone));
  const to = readDateParameter('dateTo', sent.dateTo, (text) => readCalendarDate(text, timeZone));
  requireDateOrder(sent, from, to);
  return { from, to };
}

/** The response schema of a list. */
export const buildListSchema = <T extends z.ZodType>(item: T) =>
  z.object({
    data: z.array(item),
    totalCount: z.number().int(),
    page: z.number().int(),
    pageSize: z.number().int(),
  });

/** One page of a list. @param totalCount number of records that match the filters, on all pages */
export const buildListResponse = <T>(data: T[], totalCount: number, { page, pageSize }: ListQuery) => ({
  data,
  totalCount,
  page,
  pageSize,
});
