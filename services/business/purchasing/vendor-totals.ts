import { getCurrencyDecimals } from '../../../domain/business/currencies';
import { Decimal } from '../../../domain/business/decimal';
import {
  addRoundingLine,
  computeRoundingTolerance,
  findLargestLineIndex,
} from '../../../domain/business/purchasing/bill-matching';
import { invalidRequestError } from '../../../domain/errors';
import type { FieldProblem } from '../../../domain/errors';
import type { NewPayable } from './payables';

type Calculated = Pick<NewPayable, 'lines' | 'calculation'>;

/** Totals as printed by the vendor. */
interface VendorTotals {
  total?: Decimal | undefined;
  taxTotal?: Decimal | undefined;
}

/** The description of the line that makes up for the rounding of the vendor. */
const ROUNDING_DESCRIPTION = 'Rounding';

/**
 * Applies the totals of the vendor: a difference from the calculated totals becomes a rounding line at the tax rate of
 * the largest line.
 * @throws AppError 400 naming each total that differs by more than rounding
 */
export function applyVendorTotals(calculated: Calculated, vendor: VendorTotals, currencyCode: string): Calculated {
  const { lines, calculation } = calculated;
  const decimals = getCurrencyDecimals(currencyCode);
  const tolerance = computeRoundingTolerance(lines.length, decimals);
  const problems: FieldProblem[] = [];
  const compare = (field: 'total' | 'taxTotal'): Decimal => {
    const printed = vendor[field] ?? calculation[field];
    const difference = printed.minus(calculation[field]);
    if (printed.decimalPlaces() > decimals)
      problems.push({ field, problem: `must have at most ${decimals} decimals in ${currencyCode}` });
    else if (difference.abs().gt(tolerance))
      problems.push({
        field,
        problem: `must be within ${tolerance.toFixed()} of ${calculation[field].toFixed(decimals)}, which the lines add up to`,
      });
    return difference;
  };
  const rounding = { net: compare('total'), tax: compare('taxTotal') };
  if (problems.length > 0) throw invalidRequestError(problems);
  const largest = lines[findLargestLineIndex(calculation)];
  if ((rounding.net.isZero() && rounding.tax.isZero()) || largest === undefined) return { lines, calculation };
  const line = {
    productId: null,
    description: ROUNDING_DESCRIPTION,
    quantity: new Decimal(1),
    unitCost: rounding.net,
    taxRate: largest.taxRate,
    isRounding: true,
  };
  return {
    lines: [...lines, line],
    calculation: addRoundingLine(calculation, String(largest.taxRate.id), rounding),
  };
}
