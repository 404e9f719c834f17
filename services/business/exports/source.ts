import type { Model } from 'mongoose';
import type { CellKind, ExportColumn, ExportFilterName } from '../../../domain/business/exports/exports';
import type { Permission } from '../../../domain/business/access/permissions';
import type { Derive } from './derived-columns';

/** A column and where MongoDB finds its value: a path, or an expression; null: it is derived afterwards. */
export interface SourceColumn extends ExportColumn {
  from: string | object | null;
}

/** A filter that compares one field with what is sent. */
export interface EqualFilter {
  field: string;
  /** The accepted words; null: the number of a record. */
  accepts: readonly string[] | null;
  /** What holds where it is not sent; `all` is no condition. @default all */
  otherwise?: string;
}

/** How one list is taken out. */
export interface ExportSource {
  permission: Permission;
  model: Pick<Model<unknown>, 'collection'>;
  /** Rows come in its order; the index on organisation, `base` and it is used. */
  key: 'id' | '_id';
  /** What the list consists of, beside the organisation. */
  base: Readonly<Record<string, unknown>>;
  index: Readonly<Record<string, 1>>;
  columns: readonly SourceColumn[];
  /** The array that gives a row for each of its members, with `columns` of the member after those of the record. */
  each?: { from: string; columns: readonly SourceColumn[] };
  equal: Readonly<Partial<Record<ExportFilterName, EqualFilter>>>;
  /** What dateFrom and dateTo mean. */
  dated: { field: string; kind: 'day' | 'instant' };
  search: boolean;
  derive?: Derive;
}

const columns = (kind: CellKind, names: readonly string[]): SourceColumn[] =>
  names.map((name) => ({ name, kind, from: name }));
export const text = (...names: string[]): SourceColumn[] => columns('text', names);
export const integer = (...names: string[]): SourceColumn[] => columns('integer', names);
export const decimal = (...names: string[]): SourceColumn[] => columns('decimal', names);
export const day = (...names: string[]): SourceColumn[] => columns('day', names);
export const instant = (...names: string[]): SourceColumn[] => columns('instant', names);
export const flag = (...names: string[]): SourceColumn[] => columns('boolean', names);
/** A column under another name than its field. */
export const from = (name: string, kind: CellKind, path: string | object | null): SourceColumn => ({
  name,
  kind,
  from: path,
});

export const number = (field: string): EqualFilter => ({ field, accepts: null });
export const word = (field: string, accepts: readonly string[]): EqualFilter => ({ field, accepts });

export const TOTALS = decimal('total', 'taxTotal', 'grandTotal');
export const STAMPS = instant('createdAt', 'updatedAt');
export const ADDRESS = ['line1', 'line2', 'city', 'region', 'postalCode', 'country'].map((part) =>
  from(`address${part.charAt(0).toUpperCase()}${part.slice(1)}`, 'text', `address.${part}`),
);
export const CREATED = { field: 'createdAt', kind: 'instant' } as const;
export const BY_ID = { organisationId: 1, id: 1 } as const;
export const BY_ROW = { organisationId: 1, _id: 1 } as const;
export const ACTIVE: EqualFilter = { field: 'active', accepts: ['true', 'false', 'all'], otherwise: 'true' };
