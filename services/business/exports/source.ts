import type { Model } from 'mongoose';
import type { Cell, CellKind, ExportColumn, ExportFilterName } from '../../../domain/business/exports/exports';
import type { Permission } from '../../../domain/business/access/permissions';
import type { ExportKey, ExportRecord } from '../../../models/business/exports/export';
import { buildChoiceCondition } from '../records/lists';
import type { ColumnDeriver } from './derived-columns';

/** A column and its source in MongoDB: a path or an expression; null for a derived column. */
export interface SourceColumn extends ExportColumn {
  from: string | object | null;
}

/** A filter that compares one field with the sent value. */
export interface EqualFilter {
  field: string;
  /** The accepted values; null for the id of a record. */
  accepts: readonly string[] | null;
  /** The condition of several accepted values. @param today `YYYY-MM-DD` */
  choose?: (values: readonly string[], today: string) => object;
  /** Value if the filter is not sent; `all` is no condition. @default all */
  otherwise?: string;
}

/** Rows of complete records, and the key after which to continue. */
export interface Batch<T> {
  items: T[];
  lastKey: ExportKey;
}

/** What the exports of stored and of derived rows have in common. */
interface SourceHead {
  permission: Permission;
  columns: readonly SourceColumn[];
  /** The array with one row for each of its members: the columns of the record, followed by `columns` of the member. */
  each?: { from: string; columns: readonly SourceColumn[] };
  equal: Readonly<Partial<Record<ExportFilterName, EqualFilter>>>;
  /** The field that dateFrom and dateTo filter. */
  dated: { field: string; kind: 'day' | 'instant' | 'posting' };
  search: boolean;
}

/** How one list is exported. */
export interface ExportSource extends SourceHead {
  model: Pick<Model<unknown>, 'collection'>;
  /** Key by which rows are sorted; the index on organisation, `base` and the key is used. */
  key: 'id' | '_id';
  /** Condition of the list, in addition to the organisation. */
  base: Readonly<Record<string, unknown>>;
  index: Readonly<Record<string, 1>>;
  derive?: ColumnDeriver;
}

/** How rows are exported that are not stored, but derived when they are read. */
export interface DerivedSource extends SourceHead {
  findLastKey(record: ExportRecord): Promise<ExportKey | null>;
  /** Counts the rows of the format. */
  count(record: ExportRecord): Promise<number>;
  read(record: ExportRecord, after: ExportKey | null): AsyncGenerator<Batch<Cell[]>>;
}

const buildColumns = (kind: CellKind, names: readonly string[]): SourceColumn[] =>
  names.map((name) => ({ name, kind, from: name }));
/** Columns of text, each named like its field; so are those of the other kinds. */
export const textColumns = (...names: string[]): SourceColumn[] => buildColumns('text', names);
/** Columns of whole numbers. */
export const integerColumns = (...names: string[]): SourceColumn[] => buildColumns('integer', names);
/** Columns of exact decimals. */
export const decimalColumns = (...names: string[]): SourceColumn[] => buildColumns('decimal', names);
/** Columns of days, `YYYY-MM-DD`. */
export const dayColumns = (...names: string[]): SourceColumn[] => buildColumns('day', names);
/** Columns of times. */
export const instantColumns = (...names: string[]): SourceColumn[] => buildColumns('instant', names);
/** Columns of truth values. */
export const booleanColumns = (...names: string[]): SourceColumn[] => buildColumns('boolean', names);
/** A column whose name differs from that of its field. */
export const columnFrom = (name: string, kind: CellKind, path: string | object | null): SourceColumn => ({
  name,
  kind,
  from: path,
});

/** A filter of a field by one or several ids. */
export const idFilter = (field: string): EqualFilter => ({
  field,
  accepts: null,
  choose: (ids) => ({ [field]: buildChoiceCondition(ids.map(Number)) }),
});
/** A filter of a field by one or several of the accepted words. */
export const wordFilter = (field: string, accepts: readonly string[]): EqualFilter => ({
  field,
  accepts,
  choose: (values) => ({ [field]: buildChoiceCondition(values) }),
});
/** A word filter whose condition depends on the day, as in the list. */
export const choiceFilter = <T extends string>(
  field: string,
  accepts: readonly T[],
  choose: (values: readonly T[], today: string) => object,
): EqualFilter => ({
  field,
  accepts,
  choose: (values, today) =>
    choose(
      accepts.filter((each) => values.includes(each)),
      today,
    ),
});

export const TOTAL_COLUMNS = decimalColumns('total', 'taxTotal', 'grandTotal');
export const TIMESTAMP_COLUMNS = instantColumns('createdAt', 'updatedAt');
export const ADDRESS_COLUMNS = ['line1', 'line2', 'city', 'region', 'postalCode', 'country'].map((part) =>
  columnFrom(`address${part.charAt(0).toUpperCase()}${part.slice(1)}`, 'text', `address.${part}`),
);
export const CREATED_DATE_FIELD = { field: 'createdAt', kind: 'instant' } as const;
export const ID_INDEX = { organisationId: 1, id: 1 } as const;
export const ROW_INDEX = { organisationId: 1, _id: 1 } as const;
export const ACTIVE_FILTER: EqualFilter = { field: 'active', accepts: ['true', 'false', 'all'], otherwise: 'true' };
