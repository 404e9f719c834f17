import { useQuery } from '@tanstack/react-query';
import { business, businessQuery } from '../../../shared/api/business';
import { formatDecimal } from './money';

/** Lists that change rarely and fill the choices of a field. */
const LOOKUP = { staleTime: 60_000 } as const;

/** Terms of payment that the API knows. */
export const PAYMENT_TERMS = [
  'CASH',
  'NET7',
  'NET10',
  'NET14',
  'NET15',
  'NET20',
  'NET30',
  'NET45',
  'NET60',
  'NET90',
  'NET120',
  'EOM',
  'NET30EOM',
  'NET60EOM',
] as const;

/** The active tax rates as choices. */
export function useTaxRates(): { value: string; label: string }[] {
  const query = { pageSize: 100, sortBy: 'name' } as const;
  const { data } = useQuery({
    ...businessQuery('listTaxRates', [query], (options) => business.listTaxRates(query, options)),
    ...LOOKUP,
  });
  return (data?.data ?? []).map(({ id, name, percent }) => ({
    value: String(id),
    label: `${name} (${formatDecimal(percent)} %)`,
  }));
}

/** The active currencies as choices. */
export function useCurrencies(): string[] {
  const query = { pageSize: 100 } as const;
  const { data } = useQuery({
    ...businessQuery('listCurrencies', [query], (options) => business.listCurrencies(query, options)),
    ...LOOKUP,
  });
  return (data?.data ?? []).map(({ code }) => code);
}

/** The active categories of products as choices. */
export function useCategories(): { value: string; label: string }[] {
  const query = { pageSize: 100, sortBy: 'name' } as const;
  const { data } = useQuery({
    ...businessQuery('listProductCategories', [query], (options) => business.listProductCategories(query, options)),
    ...LOOKUP,
  });
  return (data?.data ?? []).map(({ id, name }) => ({ value: String(id), label: name }));
}

/** The active series of invoice numbers as choices. */
export function useInvoiceSeries(): { value: string; label: string }[] {
  const query = { pageSize: 100, documentType: ['invoice' as const] };
  const { data } = useQuery({
    ...businessQuery('listDocumentSeries', [query], (options) => business.listDocumentSeries(query, options)),
    ...LOOKUP,
  });
  return (data?.data ?? []).map(({ id, exampleNumber }) => ({ value: String(id), label: exampleNumber }));
}

/** The active warehouses as choices. */
export function useWarehouses(): { value: string; label: string }[] {
  const query = { pageSize: 100, sortBy: 'name' } as const;
  const { data } = useQuery({
    ...businessQuery('listWarehouses', [query], (options) => business.listWarehouses(query, options)),
    ...LOOKUP,
  });
  return (data?.data ?? []).map(({ id, name }) => ({ value: String(id), label: name }));
}

/** Names warehouses, inactive ones too. A name is empty while it is being read, and the id where it cannot be read. */
export function useWarehouseName(): (id: number) => string {
  const query = { pageSize: 100, active: 'all' } as const;
  const { data, isPending } = useQuery({
    ...businessQuery('listWarehouses', [query], (options) => business.listWarehouses(query, options)),
    ...LOOKUP,
  });
  return (id) => (isPending ? '' : (data?.data.find((warehouse) => warehouse.id === id)?.name ?? String(id)));
}

/** The request for the company, whose settings are the defaults of documents. */
export const companyQuery = {
  ...businessQuery('getCompany', [], (options) => business.getCompany(options)),
  ...LOOKUP,
};

/** The company; undefined while it is being read. */
export const useCompany = () => useQuery(companyQuery).data?.data;

/** Filter of lists that hide inactive records. */
export const ACTIVITY = ['true', 'false', 'all'] as const;

/** Languages of printed documents. */
export const DOCUMENT_LANGUAGES = ['en', 'de', 'fr', 'es'] as const;
