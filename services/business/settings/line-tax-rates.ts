import { selectDefaultRate } from '../../../domain/business/settings/tax-profiles';
import type { TaxedParty } from '../../../domain/business/settings/tax-profiles';
import { findTaxRateOn } from '../../../domain/business/settings/tax-rates';
import type { FieldProblem } from '../../../domain/errors';
import type { ProductRecord } from '../../../models/business/catalogue/product';
import type { TaxRateRecord } from '../../../models/business/settings/tax-rate';
import type { BusinessCaller } from '../access/caller';

type TaxRates = ReadonlyMap<number, TaxRateRecord>;

/** What decides on the tax rate of a line. */
export interface RequestedRate {
  taxRateId?: number | undefined;
  /** Undefined or null for a line in free text, which counts as a service. */
  product?: Pick<ProductRecord, 'taxRateId' | 'type'> | null | undefined;
  /** The customer or vendor, whose profile selects the rate of a line that names none. */
  party?: TaxedParty | null | undefined;
  /** Day of the document, `YYYY-MM-DD`. */
  date: string;
  /** Path of the tax rate in the request. */
  field: string;
}

/** Finds a rate on a day, or its successor of that day; null adds a problem. An inactive rate is found, too. */
function findRateOn(
  taxRates: TaxRates,
  id: number,
  { date, field }: Pick<RequestedRate, 'date' | 'field'>,
  problems: FieldProblem[],
): TaxRateRecord | null {
  const rate = findTaxRateOn(taxRates, id, date);
  if (rate !== null) return rate;
  const expired = `is not valid on ${date} and has no successor that is`;
  problems.push({ field, problem: taxRates.has(id) ? expired : 'is not a tax rate of the company' });
  return null;
}

const requireActive = (rate: TaxRateRecord | null, field: string, problems: FieldProblem[]): TaxRateRecord | null => {
  if (rate === null || rate.active) return rate;
  problems.push({ field, problem: 'is an inactive tax rate' });
  return null;
};

/** Finds the rate with an id on the day of a new document; null adds a problem, also for an inactive rate. */
export const resolveTaxRate = (
  taxRates: TaxRates,
  id: number,
  at: Pick<RequestedRate, 'date' | 'field'>,
  problems: FieldProblem[],
): TaxRateRecord | null => requireActive(findRateOn(taxRates, id, at, problems), at.field, problems);

/**
 * Finds the rate of a line: as sent, else by the tax profile of the party, product and company; null adds a problem. An
 * inactive rate is found, too, for lines of documents that follow from others.
 */
export function findLineTaxRate(
  { company }: BusinessCaller,
  taxRates: TaxRates,
  { taxRateId, product, party, ...at }: RequestedRate,
  problems: FieldProblem[],
): TaxRateRecord | null {
  const { address, defaultTaxRateId } = company;
  const selected =
    taxRateId === undefined
      ? selectDefaultRate(taxRates, { country: address.country, defaultTaxRateId }, party ?? null, {
          productTaxRateId: product?.taxRateId ?? null,
          scope: product?.type ?? 'service',
        })
      : { taxRateId };
  if (!('problem' in selected)) return findRateOn(taxRates, selected.taxRateId, at, problems);
  problems.push({ field: at.field, problem: selected.problem });
  return null;
}

/** {@link findLineTaxRate} of a new document; an inactive rate is a problem, too. */
export const resolveLineTaxRate = (
  caller: BusinessCaller,
  taxRates: TaxRates,
  requested: RequestedRate,
  problems: FieldProblem[],
): TaxRateRecord | null =>
  requireActive(findLineTaxRate(caller, taxRates, requested, problems), requested.field, problems);

/** Whether a line would have the rate if it named none. */
export const isDefaultTaxRate = (
  caller: BusinessCaller,
  taxRates: TaxRates,
  taxRateId: number,
  line: Pick<RequestedRate, 'product' | 'party' | 'date'>,
): boolean => findLineTaxRate(caller, taxRates, { ...line, field: 'taxRateId' }, [])?.id === taxRateId;
