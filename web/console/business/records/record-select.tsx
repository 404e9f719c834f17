import { Select } from '@mantine/core';
import type { ComboboxParsedItem, SelectProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { BusinessResponse } from '../../../../clients/typescript/src/calls';
import { business, businessQuery } from '../../../shared/api/business';
import { useTypedSearch } from './use-typed-search';

export type Customer = BusinessResponse<'getCustomer'>['data'];
export type Vendor = BusinessResponse<'getVendor'>['data'];
export type Product = BusinessResponse<'getProduct'>['data'];

type Options = { signal: AbortSignal };

/** Where the choices of a field come from. */
interface RecordSource<T extends { id: number }> {
  search: (text: string | undefined, options: Options) => Promise<{ data: T[] }>;
  get: (id: string, options: Options) => Promise<{ data: T }>;
  operations:
    | readonly ['listCustomers', 'getCustomer']
    | readonly ['listVendors', 'getVendor']
    | readonly ['listProducts', 'getProduct'];
  describe: (record: T) => string;
}

const PAGE = { pageSize: 20, sortBy: 'name' } as const;
const hasText = (label: string, text: string): boolean => label.toLowerCase().includes(text.trim().toLowerCase());
const describeNamed = ({ name, code }: { name: string; code: string }): string => `${name} (${code})`;

export const CUSTOMERS: RecordSource<Customer> = {
  operations: ['listCustomers', 'getCustomer'],
  search: (search, options) => business.listCustomers({ ...PAGE, ...(search ? { search } : {}) }, options),
  get: (id, options) => business.getCustomer(id, options),
  describe: describeNamed,
};

export const VENDORS: RecordSource<Vendor> = {
  operations: ['listVendors', 'getVendor'],
  search: (search, options) => business.listVendors({ ...PAGE, ...(search ? { search } : {}) }, options),
  get: (id, options) => business.getVendor(id, options),
  describe: describeNamed,
};

export const PRODUCTS: RecordSource<Product> = {
  operations: ['listProducts', 'getProduct'],
  search: (search, options) => business.listProducts({ ...PAGE, ...(search ? { search } : {}) }, options),
  get: (id, options) => business.getProduct(id, options),
  describe: describeNamed,
};

interface RecordSelectProps<T extends { id: number }> extends Omit<
  SelectProps,
  'data' | 'value' | 'onChange' | 'searchable' | 'searchValue' | 'onSearchChange' | 'filter'
> {
  source: RecordSource<T>;
  value: string | null;
  /** @param record null when the choice is removed */
  onChange: (value: string | null, record: T | null) => void;
}

/** A field that chooses a customer, vendor or product; the API searches as the user types. */
export function RecordSelect<T extends { id: number }>({
  source,
  value,
  onChange,
  required = false,
  ...select
}: RecordSelectProps<T>) {
  const { t } = useTranslation('business');
  const [isOpen, setOpen] = useState(false);
  const [list, detail] = source.operations;
  const { data: chosen } = useQuery({
    ...businessQuery(detail, [value], (options) => source.get(value ?? '', options)),
    enabled: value !== null,
  });
  const name = chosen === undefined ? undefined : source.describe(chosen.data);
  const { text, props: typing } = useTypedSearch(name);
  // The text of the chosen record is no search.
  const requested = text === name ? '' : text;
  const [search] = useDebouncedValue(requested, 200);
  const found = useQuery({
    ...businessQuery(list, [{ ...PAGE, search }], (options) => source.search(search, options)),
    enabled: isOpen,
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  });
  // Until its result is there, the records of an earlier search that have the text are shown: a list that becomes shorter
  // only later would move under the mouse, and a click would hit another record.
  const isPending = requested !== search || found.isPlaceholderData;
  const isShown = (option: ComboboxParsedItem): boolean =>
    !isPending || !('value' in option) || option.value === value || hasText(option.label, requested);
  const records = new Map<string, T>();
  if (chosen !== undefined && value !== null) records.set(value, chosen.data);
  for (const record of found.data?.data ?? []) records.set(String(record.id), record);
  return (
    <Select
      {...select}
      withAsterisk={required}
      // The text is empty until the name of the chosen record is read; the browser would refuse to send the form.
      required={required && value === null}
      searchable
      data={[...records].map(([id, record]) => ({ value: id, label: source.describe(record) }))}
      value={value}
      onChange={(next) => onChange(next, next === null ? null : (records.get(next) ?? null))}
      {...typing}
      onDropdownOpen={() => setOpen(true)}
      filter={({ options }) => options.filter(isShown)}
      nothingFoundMessage={isPending || found.isFetching ? t('loading') : t('nothingFound')}
    />
  );
}
