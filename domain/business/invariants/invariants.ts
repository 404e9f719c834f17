/** What must always hold between the records of a company, with the statement that the API returns. */
export const INVARIANTS = {
  stock_balances:
    'The quantity on hand of a product in a warehouse is the sum of its movements there, and is never negative.',
  stock_values: 'The quantity and value of a product are the sums of its movements and of its warehouses.',
  stock_ledger:
    'The movements of a product are numbered without a gap, and each stores the correct quantity and value after it.',
  stock_reservations:
    'The reserved quantity of a product in a warehouse is the sum of confirmed orders, and never more than is on hand.',
  open_items: 'For every receivable and payable: original = open + settled + credited + reversed.',
  account_entries: 'The sum of the dated entries of every receivable and payable is its open amount.',
  item_documents:
    'Every issued document has one receivable or payable with the same amounts, and a status that matches it.',
  settlements: 'The sums of active allocations and refunds are the settled and credited amounts.',
  party_balances: 'The balance of every customer and vendor is the sum of their entries.',
  numbering: 'The numbers of a series and year have no gap, follow the dates, and form one unbroken chain.',
  document_counts: 'The totals of lists are the counts of their documents.',
  journal_balance: 'Every entry of the journal adds up to zero, in base currency and in the currency of its document.',
  journal_ledgers:
    'On every day, the journal changes receivables, payables and inventory by the sums of the entries of their ledgers.',
  vendor_returns:
    'The returned quantities of every receipt are the sums of its returns, and never more than was received.',
  billed_receipts:
    'Bills and their receipts name each other, and a bill that is not void has replaced what it states of its receipts.',
  order_receipts: 'The received quantities of every order are the sums of its receipts.',
} as const;

export type InvariantName = keyof typeof INVARIANTS;

export const INVARIANT_NAMES: readonly InvariantName[] = Object.keys(INVARIANTS).filter(
  (name): name is InvariantName => name in INVARIANTS,
);

/** One record that violates an invariant. Contains ids and amounts, never names. */
export interface InvariantViolation {
  /** `kind:id`, such as `product:7/warehouse:1`. */
  subject: string;
  what: string;
  expected: string;
  found: string;
}

/** Maximum number of violations of one invariant that are stored as examples; all are counted. */
export const MAX_KEPT_VIOLATIONS = 20;

/** A value that a violation can contain. */
type Comparable = string | number | boolean | null | { toFixed(): string };

const formatComparable = (value: Comparable): string =>
  typeof value === 'object' && value !== null ? value.toFixed() : String(value);

/** The results of checking one invariant. */
export class Findings {
  /** Number of comparisons. */
  checked = 0;
  violations = 0;
  readonly examples: InvariantViolation[] = [];

  /** Adds a violation unless both values are equal. */
  expectEqual(subject: string, what: string, expected: Comparable, found: Comparable): void {
    this.checked += 1;
    if (formatComparable(expected) !== formatComparable(found))
      this.addViolation({ subject, what, expected: formatComparable(expected), found: formatComparable(found) });
  }

  /** Adds a violation unless `holds`. */
  expectTrue(holds: boolean, subject: string, what: string, expected: Comparable, found: Comparable): void {
    this.checked += 1;
    if (!holds)
      this.addViolation({ subject, what, expected: formatComparable(expected), found: formatComparable(found) });
  }

  private addViolation(violation: InvariantViolation): void {
    this.violations += 1;
    if (this.examples.length < MAX_KEPT_VIOLATIONS) this.examples.push(violation);
  }

  /** Adds the counts of other findings; of their examples, only as many as may be kept. */
  merge(other: Findings): void {
    this.checked += other.checked;
    this.violations += other.violations;
    this.examples.push(...other.examples.slice(0, MAX_KEPT_VIOLATIONS - this.examples.length));
  }
}

/** Findings by invariant. */
export class InvariantReport {
  private readonly findings = new Map<InvariantName, Findings>();

  /** The findings of an invariant, to which its comparisons are added; empty at first. */
  getFindings(name: InvariantName): Findings {
    const findings = this.findings.get(name) ?? new Findings();
    this.findings.set(name, findings);
    return findings;
  }

  /** Adds the findings of another report, invariant by invariant. */
  merge(other: InvariantReport): void {
    for (const [name, findings] of other.findings) this.getFindings(name).merge(findings);
  }

  /** The findings of every invariant, in the order of `INVARIANTS`. */
  listFindings(): { name: InvariantName; findings: Findings }[] {
    return INVARIANT_NAMES.map((name) => ({ name, findings: this.getFindings(name) }));
  }
}
