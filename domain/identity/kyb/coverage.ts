import { parseVatNumber } from '../../platform/vat-numbers';
import type { Company, CompanyQuery, KybProviderName } from './company';
import type { NumberField } from './match';

/** Whether a register may contain the requested company. */
export function covers(provider: KybProviderName, query: CompanyQuery): boolean {
  switch (provider) {
    case 'companies_house':
      return query.country === null || query.country === 'GB';
    case 'vies':
      return parseVatNumber(query) !== null;
    case 'register':
    case 'gleif':
    case 'sandbox':
      return true;
  }
}

/** The number that a register is responsible for, and the country of the companies for which it is; null: of all. */
const AUTHORITY: Partial<Record<KybProviderName, { field: NumberField; country: string | null }>> = {
  gleif: { field: 'lei', country: null },
  companies_house: { field: 'registrationNumber', country: 'GB' },
  vies: { field: 'vatNumber', country: null },
};

/**
 * The queried number that only this register can confirm. The register of one country is responsible for companies of
 * that country: the queried country or, if none was queried, that of a company which a register has found.
 * @param found companies that registers have found
 * @returns null if no such number was queried
 */
export function findResponsibility(
  provider: KybProviderName,
  query: CompanyQuery,
  found: readonly Pick<Company, 'country'>[],
): NumberField | null {
  const authority = AUTHORITY[provider];
  if (authority === undefined || query[authority.field] === null) return null;
  const { field, country } = authority;
  const countries = query.country === null ? found.map((company) => company.country) : [query.country];
  return country === null || countries.includes(country) ? field : null;
}
