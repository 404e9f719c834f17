import { ZERO } from '../decimal';
import type { Decimal } from '../decimal';
import type { TaxCategory } from '../settings/tax-rates';
import type { ComponentShare, JournalEntry, LineTax } from './journal';
import { splitByComponents } from './tax-postings';

/** How a VAT return treats a row. */
export const VAT_TREATMENTS = [
  'taxed',
  'zero_rated',
  'exempt',
  'reverse_charge',
  'intra_community',
  'export',
  'outside_scope',
] as const;
export type VatTreatment = (typeof VAT_TREATMENTS)[number];

const TREATMENTS: Readonly<Record<TaxCategory, VatTreatment>> = {
  S: 'taxed',
  L: 'taxed',
  M: 'taxed',
  Z: 'zero_rated',
  E: 'exempt',
  AE: 'reverse_charge',
  K: 'intra_community',
  G: 'export',
  O: 'outside_scope',
};

/** Net amounts and taxes of one rate in one period, in base currency; credits are subtracted. */
export interface VatRow {
  /** `output`: sales. `input`: purchases. `self_assessed`: purchases for which the company is liable for the tax. */
  direction: LineTax['direction'];
  treatment: VatTreatment;
  category: TaxCategory;
  /** Percentage in its shortest form. */
  percent: string;
  net: Decimal;
  tax: Decimal;
  /** The taxes of rates that have several, by name and percentage; empty for others. */
  components: VatComponent[];
}

/** One of several taxes of a rate: the net amounts that were subject to it, and its part of the tax. */
export interface VatComponent {
  name: string;
  percent: string;
  net: Decimal;
  tax: Decimal;
}

/** The figures of one period. */
export interface VatPeriod {
  /** `YYYY-MM`, `YYYY-Qn`, or the first and last day of the report. */
  period: string;
  rows: VatRow[];
  outputTax: Decimal;
  inputTax: Decimal;
  /** Tax that is charged and deducted in the same period. */
  selfAssessedTax: Decimal;
  /** Output tax less input tax; negative if tax is refunded. */
  payable: Decimal;
}

export const VAT_PERIODS = ['month', 'quarter', 'all'] as const;
export type VatPeriodKind = (typeof VAT_PERIODS)[number];

/** The period of a day. */
export function getVatPeriod(date: string, kind: VatPeriodKind, days: { from: string; to: string }): string {
  if (kind === 'all') return `${days.from}/${days.to}`;
  const [year, month] = [date.slice(0, 4), date.slice(5, 7)];
  return kind === 'month' ? `${year}-${month}` : `${year}-Q${Math.ceil(Number(month) / 3)}`;
}

const compareText = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);

const compareRows = (a: VatRow, b: VatRow): number =>
  compareText(b.direction, a.direction) || compareText(a.category, b.category) || Number(b.percent) - Number(a.percent);

const sortComponents = (row: VatRow): VatRow => ({
  ...row,
  components: [...row.components].sort((a, b) => compareText(a.name, b.name) || Number(a.percent) - Number(b.percent)),
});

/** The amount of a line for each component: the whole of a net amount, and the parts of a tax. */
function splitAmount(components: readonly ComponentShare[], { part, amount, decimals }: SplitLine): Decimal[] {
  return part === 'net' ? components.map(() => amount) : splitByComponents(components, amount, decimals);
}

interface SplitLine {
  part: LineTax['part'];
  amount: Decimal;
  decimals: number;
}

function addComponents(
  sums: readonly VatComponent[],
  components: readonly ComponentShare[],
  line: SplitLine,
): VatComponent[] {
  const amounts = splitAmount(components, line);
  const next = [...sums];
  for (const [index, { name, percent }] of components.entries()) {
    const at = next.findIndex((each) => each.name === name && each.percent === percent);
    const sum = next[at] ?? { name, percent, net: ZERO, tax: ZERO };
    const added = { ...sum, [line.part]: sum[line.part].plus(amounts[index] ?? ZERO) };
    if (at === -1) next.push(added);
    else next[at] = added;
  }
  return next;
}

/** Sums the tax lines of journal entries by period and rate (accrual accounting: by the date of each document). */
export class VatTotals {
  private readonly periods = new Map<string, Map<string, VatRow>>();

  constructor(
    private readonly kind: VatPeriodKind,
    private readonly days: { from: string; to: string },
    /** Decimals of the base currency. */
    private readonly decimals: number,
  ) {}

  /**
   * Adds the tax lines of an entry to the row of their direction, category and percentage in the period of its date.
   */
  add({ date, lines }: JournalEntry): void {
    for (const { tax, base } of lines) {
      if (tax === null) continue;
      const { direction, category, percent, part, components } = tax;
      const period = getVatPeriod(date, this.kind, this.days);
      const rows = this.periods.get(period) ?? new Map<string, VatRow>();
      this.periods.set(period, rows);
      const key = `${direction}/${category}/${percent}`;
      const treatment = TREATMENTS[category];
      const row = rows.get(key) ?? { direction, treatment, category, percent, net: ZERO, tax: ZERO, components: [] };
      // Sales are credits in the journal, and positive in the report.
      const amount = direction === 'output' ? base.neg() : base;
      const split = { part, amount, decimals: this.decimals };
      rows.set(key, {
        ...row,
        [part]: row[part].plus(amount),
        components: components === undefined ? row.components : addComponents(row.components, components, split),
      });
    }
  }

  /** The periods with figures, earliest first. */
  list(): VatPeriod[] {
    return [...this.periods]
      .sort(([a], [b]) => compareText(a, b))
      .map(([period, byKey]) => {
        const rows = [...byKey.values()].sort(compareRows).map(sortComponents);
        const sumTax = (direction: VatRow['direction']): Decimal =>
          rows.reduce((total, row) => (row.direction === direction ? total.plus(row.tax) : total), ZERO);
        const [outputTax, inputTax] = [sumTax('output'), sumTax('input')];
        const selfAssessedTax = sumTax('self_assessed');
        return { period, rows, outputTax, inputTax, selfAssessedTax, payable: outputTax.minus(inputTax) };
      });
  }
}
