/** What must hold between the records of a company at every moment, and how it is said to its people. */
export const INVARIANTS = {
  stock_balances: 'What is on hand of a product in a warehouse is the sum of its movements there, and never negative.',
  stock_values: 'Quantity and value of a product are the sums of its movements and of its warehouses.',
  stock_ledger: 'The movements of a product are numbered without a gap, and each carries what stood after it.',
  open_items: 'Of every receivable and payable: original = open + settled + credited + reversed.',
  account_entries: 'The dated entries of every receivable and payable come to what is open of it.',
  item_documents: 'Every issued document has one receivable or payable of its amounts, and a status that fits it.',
  settlements: 'Allocations and refunds that stand come to what is settled and credited.',
  party_balances: 'The balance of every customer and vendor is the sum of their entries.',
  numbering: 'Numbers of a series and year have no gap, rise with the days, and form one unbroken chain.',
  document_counts: 'The totals of lists are the numbers of their documents.',
  order_receipts: 'What was received of every order is the sum of its receipts.',
} as const;

export type InvariantName = keyof typeof INVARIANTS;

export const INVARIANT_NAMES: readonly InvariantName[] = Object.keys(INVARIANTS).filter(
  (name): name is InvariantName => name in INVARIANTS,
);

/** One record that breaks an invariant: which, in what, and by how much. Ids and amounts, never names. */
export interface InvariantViolation {
  /** `kind:id`, such as `product:7/warehouse:1`. */
  subject: string;
  what: string;
  expected: string;
  found: string;
}

/** So many violations of one invariant are kept by name; all are counted. */
export const MAX_KEPT_VIOLATIONS = 20;

/** A value that may stand in a violation. */
type Comparable = string | number | boolean | null | { toFixed(): string };

const formatComparable = (value: Comparable): string =>
  typeof value === 'object' && value !== null ? value.toFixed() : String(value);

/** What a look at one invariant found. */
export class Findings {
  /** Comparisons made. */
  checked = 0;
  violations = 0;
  readonly examples: InvariantViolation[] = [];

  /** Notes a violation unless both are the same. */
  expectEqual(subject: string, what: string, expected: Comparable, found: Comparable): void {
    this.checked += 1;
    if (formatComparable(expected) !== formatComparable(found))
      this.addViolation({ subject, what, expected: formatComparable(expected), found: formatComparable(found) });
  }

  /** Notes a violation unless `holds`. */
  expectTrue(holds: boolean, subject: string, what: string, expected: Comparable, found: Comparable): void {
    this.checked += 1;
    if (!holds)
      this.addViolation({ subject, what, expected: formatComparable(expected), found: formatComparable(found) });
  }

  private addViolation(violation: InvariantViolation): void {
    this.violations += 1;
    if (this.examples.length < MAX_KEPT_VIOLATIONS) this.examples.push(violation);
  }

  merge(other: Findings): void {
    this.checked += other.checked;
    this.violations += other.violations;
    this.examples.push(...other.examples.slice(0, MAX_KEPT_VIOLATIONS - this.examples.length));
  }
}

/** Findings by invariant. */
export class InvariantReport {
  private readonly findings = new Map<InvariantName, Findings>();

  getFindings(name: InvariantName): Findings {
    const findings = this.findings.get(name) ?? new Findings();
    this.findings.set(name, findings);
    return findings;
  }

  merge(other: InvariantReport): void {
    for (const [name, findings] of other.findings) this.getFindings(name).merge(findings);
  }

  /** Every invariant, in the order of the table. */
  listFindings(): { name: InvariantName; findings: Findings }[] {
    return INVARIANT_NAMES.map((name) => ({ name, findings: this.getFindings(name) }));
  }
}
