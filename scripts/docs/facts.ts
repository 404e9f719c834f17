import { readProjectFile, readSources } from './repository';

/** Kinds of events that `/v1` emits; all others come from the business API. */
const IDENTITY_EVENT_KINDS = new Set(['session', 'check', 'aml', 'kyb', 'webhook']);

/** Whether subscribers of `/v1` receive an event of this type. */
export const isIdentityEvent = (type: string): boolean => IDENTITY_EVENT_KINDS.has(type.split('.')[0] ?? '');

/** Lists of states in `domain` that are no life cycle of a record of their own. */
const NO_LIFE_CYCLE = new Set(['OPEN_LEAD', 'COMPANY', 'RULE', 'IMPORT', 'OPEN', 'FINAL']);

/** Every state of `export const INVOICE_STATUSES = ['draft', …]` in `domain`, as `invoice.draft`. */
export const listStates = (): string[] =>
  ['domain/identity', 'domain/business'].flatMap((folder) =>
    [...readSources(folder).values()].flatMap((text) =>
      [...text.matchAll(/export const (\w+)_(?:STATUSES|STATES|STAGES) = \[([^\]]*)\]/g)]
        .filter(([, record = '']) => !NO_LIFE_CYCLE.has(record))
        .flatMap(([, record = '', values = '']) =>
          [...values.matchAll(/'([a-z_]+)'/g)].map(([, state = '']) => `${record.toLowerCase()}.${state}`),
        ),
    ),
  );

export interface ErrorCode {
  code: string;
  statuses: number[];
  apis: ('identity' | 'business')[];
}

const BOTH = ['identity', 'business'] as const;

/** Where the codes of responses are written, and which API returns them. */
const ERROR_SOURCES: readonly (readonly [folder: string, apis: readonly ('identity' | 'business')[]])[] = [
  ['services/identity', ['identity']],
  ['api/identity', ['identity']],
  ['domain/identity', ['identity']],
  ['services/business', ['business']],
  ['api/business', ['business']],
  ['domain/business', ['business']],
  ['services/platform', BOTH],
  ['api/platform', BOTH],
  ['api/http', BOTH],
];

/** Codes of sign-in from a browser and of commands, which only `/v1` and the shell know. */
const IDENTITY_ONLY = new Set(['role_without_access', 'rotated_meanwhile', 'slug_taken']);

/** `conflictError('code'`, `new AppError('code', 404`, `known ? 'code' : 'other', 503` and `notReadyCode: 'code'`. */
function matchCodes(text: string): { code: string; status: number }[] {
  const conflicts = [...text.matchAll(/\bconflictError\(\s*'([a-z_]+)'/g)].map(([, code = '']) => ({
    code,
    status: 409,
  }));
  const others = [...text.matchAll(/[(:]\s*'([a-z_]+)',\s*([45]\d\d)\b/g)];
  const alternatives = [...text.matchAll(/\?\s*'([a-z_]+)'\s*:\s*'[a-z_]+',\s*([45]\d\d)\b/g)];
  const notReady = [...text.matchAll(/\bnotReadyCode: '([a-z_]+)'/g)].map(([, code = '']) => ({ code, status: 503 }));
  return [
    ...conflicts,
    ...notReady,
    ...[...others, ...alternatives].map(([, code = '', status]) => ({ code, status: Number(status) })),
  ];
}

/** Codes that are composed or looked up in a table where they are thrown, as they would be written otherwise. */
const INDIRECT_CODES: readonly (readonly [text: string, apis: ErrorCode['apis']])[] = [
  ["('evidence_missing', 410) ('evidence_altered', 410)", ['identity', 'business']],
  ["('code_taken', 409)", ['business']],
];

/** Every error code of the sources with its statuses, in alphabetical order. */
export function listErrorCodes(): ErrorCode[] {
  const found = new Map<string, { statuses: Set<number>; apis: Set<'identity' | 'business'> }>();
  const sources = ERROR_SOURCES.flatMap(([folder, apis]) =>
    [...readSources(folder).values()].map((text) => [text, apis] as const),
  );
  for (const [text, apis] of [...sources, [readProjectFile('domain/errors.ts'), BOTH] as const, ...INDIRECT_CODES]) {
    for (const { code, status } of matchCodes(text)) {
      const entry = found.get(code) ?? { statuses: new Set(), apis: new Set() };
      entry.statuses.add(status);
      for (const api of IDENTITY_ONLY.has(code) ? (['identity'] as const) : apis) entry.apis.add(api);
      found.set(code, entry);
    }
  }
  return [...found]
    .map(([code, { statuses, apis }]) => ({ code, statuses: [...statuses].sort(), apis: [...apis].sort() }))
    .sort((a, b) => a.code.localeCompare(b.code));
}

/** Codes of failures that no response has. */
export const listWorkerCodes = (): string[] => {
  const sources = ['activities', 'lib'].flatMap((folder) => [...readSources(folder).values()]);
  const returned = new Set(listErrorCodes().map(({ code }) => code));
  const thrown = new Set(sources.flatMap(matchCodes).map(({ code }) => code));
  return [...thrown].filter((code) => !returned.has(code)).sort();
};
