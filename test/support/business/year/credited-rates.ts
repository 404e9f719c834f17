import type { ReplyData } from './faulty-client';
import { DECIMALS, toBase, toUnits } from './money';
import type { Currency } from './money';

const PARTS = ['net', 'tax'] as const;
type Part = (typeof PARTS)[number];

/** A rate of a bill: what it charges, in its currency and in base currency, and what was credited of it. */
interface Rate {
  whole: Record<Part, bigint>;
  wholeBase: Record<Part, bigint>;
  credited: Record<Part, bigint>;
}

const nothing = (): Record<Part, bigint> => ({ net: 0n, tax: 0n });

/** Divides units over parts: whole units first, then one to each of the largest remainders. */
function spread(units: bigint, parts: readonly bigint[]): bigint[] {
  const whole = parts.reduce((total, part) => total + part, 0n);
  if (whole === 0n) return parts.map((_, index) => (index === 0 ? units : 0n));
  const shares = parts.map((part, index) => {
    const product = units * part;
    return { index, share: product / whole, remainder: product % whole };
  });
  let left = units - shares.reduce((total, { share }) => total + share, 0n);
  for (const each of shares.toSorted((a, b) => Number(b.remainder - a.remainder) || a.index - b.index)) {
    if (left === 0n) break;
    each.share += 1n;
    left -= 1n;
  }
  return shares.map(({ share }) => share);
}

/** What credit notes take back of a bill in base currency, by tax rate; amounts are positive. */
export class CreditedRates {
  private readonly rates = new Map<number, Rate>();

  constructor(
    bill: ReplyData,
    private readonly currency: Currency,
    private readonly rate: bigint,
  ) {
    this.addLines(bill, (found) => found.whole);
    const found = [...this.rates.values()];
    for (const part of PARTS) {
      const amounts = found.map(({ whole }) => whole[part]);
      const total = amounts.reduce((sum, amount) => sum + amount, 0n);
      const bases = spread(toBase(total, currency, rate), amounts);
      found.forEach((each, index) => {
        each.wholeBase[part] = bases[index] ?? 0n;
      });
    }
  }

  private addLines({ lines }: ReplyData, select: (rate: Rate) => Record<Part, bigint>): void {
    for (const line of lines as ReplyData[]) {
      const id = Number(line['taxRateId']);
      const found = this.rates.get(id) ?? { whole: nothing(), wholeBase: nothing(), credited: nothing() };
      this.rates.set(id, found);
      for (const part of PARTS) select(found)[part] += toUnits(Number(line[part]), DECIMALS[this.currency]);
    }
  }

  /** What was credited at a rate in base currency; all that was charged is what the bill posted. */
  private convert({ whole, wholeBase, credited }: Rate, part: Part): bigint {
    if (credited[part] === whole[part]) return wholeBase[part];
    const base = toBase(credited[part], this.currency, this.rate);
    const isBeyond = credited[part] > whole[part];
    return isBeyond === base > wholeBase[part] ? base : wholeBase[part];
  }

  private sum(): bigint {
    const found = [...this.rates.values()];
    return PARTS.flatMap((part) => found.map((each) => this.convert(each, part))).reduce((a, b) => a + b, 0n);
  }

  /** @returns the total of a credit note in base currency */
  credit(note: ReplyData): bigint {
    const before = this.sum();
    this.addLines(note, (found) => found.credited);
    return this.sum() - before;
  }
}
