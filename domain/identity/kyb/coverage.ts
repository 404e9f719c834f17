import { parseVatNumber } from '../../platform/vat-numbers';
import type { CompanyQuery, KybProviderName } from './company';

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
