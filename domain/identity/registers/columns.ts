/** Registers that an organisation may import: people to validate, companies to check. */
export const REGISTER_KINDS = ['persons', 'companies'] as const;

export type RegisterKind = (typeof REGISTER_KINDS)[number];

/**
 * `active`: the version that lookups read, one for each kind. `superseded`: an older version, whose rows were removed.
 */
export const REGISTER_STATUSES = ['importing', 'active', 'superseded', 'failed'] as const;

export type RegisterStatus = (typeof REGISTER_STATUSES)[number];

/** The columns of a file. */
export interface ColumnSet {
  required: readonly string[];
  optional: readonly string[];
}

/** Columns of each kind of file, in any order; other columns are rejected. */
export const REGISTER_COLUMNS: Readonly<Record<RegisterKind, ColumnSet>> = {
  persons: { required: ['country', 'idNumber', 'firstName', 'lastName'], optional: ['dateOfBirth'] },
  companies: {
    required: ['name'],
    optional: [
      'country',
      'registrationNumber',
      'vatNumber',
      'lei',
      'status',
      'legalForm',
      'incorporationDate',
      'registeredAddress',
      'headquarters',
      'officers',
      'owners',
    ],
  },
};

/** A problem of a column in a row. It never contains the value. */
export interface ColumnProblem {
  field: string;
  problem: string;
}

/** Problems of a header: missing, unknown and repeated columns. */
export function findHeaderProblems(kind: RegisterKind, header: readonly string[]): ColumnProblem[] {
  const { required, optional } = REGISTER_COLUMNS[kind];
  const knownColumns = [...required, ...optional];
  const providedColumns = new Set(header);
  return [
    ...required
      .filter((name) => !providedColumns.has(name))
      .map((field) => ({ field, problem: 'the column is missing' })),
    ...header
      .filter((name) => !knownColumns.includes(name))
      .map((field) => ({ field, problem: `is not a known column; accepted: ${knownColumns.join(', ')}` })),
    ...[...providedColumns]
      .filter((name) => header.indexOf(name) !== header.lastIndexOf(name))
      .map((field) => ({ field, problem: 'the column occurs more than once' })),
  ];
}
