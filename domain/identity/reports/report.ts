import type { Feature } from '../sessions/features';
import type { Risk, RiskCode, Verdict } from '../checks/risks';
import type { SessionStatus } from '../sessions/session';
import type { StepStatus } from '../sessions/steps';

/** Version of the report layout, increased with every change of it. */
export const REPORT_TEMPLATE_VERSION = 1;

/** A labelled value of a result. */
export interface Fact {
  label: string;
  value: string;
}

/** The content of a session report. It depends only on the session, not on when it is printed. */
export interface ReportDocument {
  templateVersion: number;
  organisation: string;
  session: {
    id: string;
    number: number;
    mode: 'live' | 'test';
    status: SessionStatus;
    externalId: string | null;
    /** ISO 8601, UTC, like every instant below. */
    createdAt: string;
    startedAt: string | null;
    finishedAt: string | null;
    /** Time of the last change that the report covers. */
    asOf: string;
  };
  decision: { outcome: SessionStatus; decidedBy: string; at: string; reasons: RiskCode[] } | null;
  steps: { feature: Feature; status: StepStatus; attempts: number }[];
  results: { feature: Feature; checkId: string; verdict: Verdict; facts: Fact[] }[];
  risks: Pick<Risk, 'code' | 'feature' | 'severity' | 'action' | 'message'>[];
  reviews: {
    decision: string;
    from: SessionStatus;
    to: SessionStatus;
    reason: string | null;
    comment: string | null;
    override: boolean;
    by: string;
    at: string;
  }[];
  evidence: { id: string; field: string; contentType: string; bytes: number; sha256: string; at: string }[];
}

/** Fields of results that are not printed: positions in images, weights, components of scores. */
const UNPRINTED_FIELDS: ReadonlySet<string> = new Set([
  'fields',
  'sides',
  'models',
  'faces',
  'face',
  'parts',
  'deductions',
  'quality',
  'portrait',
  'rotation',
  'box',
  'side',
  'checkDigits',
  'confidence',
  'thresholds',
  'userImage',
  'refImage',
]);

/** Formats `dateOfBirth` as `Date of birth`. */
export const formatFieldName = (name: string): string => {
  if (name === 'mrz') return 'MRZ';
  const words = name
    .replace(/_/g, ' ')
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** Formats a number with at most four decimals. */
const formatNumber = (value: number): string => String(Math.round(value * 10_000) / 10_000);

function formatValue(value: unknown): string | null {
  if (typeof value === 'string') return value.trim() === '' ? null : value;
  if (typeof value === 'number') return formatNumber(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) {
    const parts = value.flatMap((part) => (typeof part === 'object' ? [] : (formatValue(part) ?? [])));
    return parts.length === 0 ? null : parts.join('\n');
  }
  return null;
}

/**
 * The printable facts of a result in their stored order: texts, numbers and booleans, and those of nested parts, such
 * as an address or a machine-readable zone, under the name of the part. New kinds of results need no change here.
 */
export function buildFacts(result: object): Fact[] {
  return Object.entries(result).flatMap(([name, value]: [string, unknown]): Fact[] => {
    if (UNPRINTED_FIELDS.has(name) || value === null) return [];
    const text = formatValue(value);
    if (text !== null) return [{ label: formatFieldName(name), value: text }];
    if (typeof value !== 'object' || Array.isArray(value)) return [];
    return Object.entries(value).flatMap(([part, inner]: [string, unknown]): Fact[] => {
      const innerText = UNPRINTED_FIELDS.has(part) ? null : formatValue(inner);
      return innerText === null
        ? []
        : [{ label: `${formatFieldName(name)}: ${formatFieldName(part).toLowerCase()}`, value: innerText }];
    });
  });
}
