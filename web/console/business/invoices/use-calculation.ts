import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { BusinessResponse } from '../../../../clients/typescript/src/calls';
import { business, businessQuery } from '../../../shared/api/business';
import { toDraftBody } from './invoice-values';
import type { InvoiceValues } from './invoice-values';

/** Time without a change after which amounts are computed again. */
const CALCULATION_DELAY_MS = 300;

export type Calculation = BusinessResponse<'createInvoice'>['data'];

/**
 * The amounts of an invoice while it is edited. The API computes them with a dry run, so that the page never rounds or
 * adds by itself.
 */
export function useCalculation(values: InvoiceValues) {
  const body = toDraftBody(values);
  const [text] = useDebouncedValue(body === null ? null : JSON.stringify(body), CALCULATION_DELAY_MS);
  return useQuery({
    ...businessQuery('createInvoice', ['dryRun', text], async (options): Promise<Calculation> => {
      const sent = JSON.parse(text ?? '') as NonNullable<ReturnType<typeof toDraftBody>>;
      return (await business.createInvoice(sent, { dryRun: 'true' }, options)).data;
    }),
    enabled: text !== null,
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 0,
  });
}
