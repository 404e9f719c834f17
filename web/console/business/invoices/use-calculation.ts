import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { BusinessResponse } from '../../../../clients/typescript/src/calls';
import { business, businessQuery } from '../../../shared/api/business';
import type { InvoiceBody } from './invoice-values';

/** Time without a change after which amounts are computed again. */
const CALCULATION_DELAY_MS = 300;

export type Calculation = BusinessResponse<'createInvoice'>['data'];

/**
 * The amounts of an invoice while it is edited. The API computes them with a dry run, so that the page never rounds or
 * adds by itself.
 *
 * @param body the draft; null while it is not complete
 */
export function useCalculation(body: InvoiceBody | null) {
  const [text] = useDebouncedValue(body === null ? null : JSON.stringify(body), CALCULATION_DELAY_MS);
  return useQuery({
    ...businessQuery('createInvoice', ['dryRun', text], async (options): Promise<Calculation> => {
      const sent = JSON.parse(text ?? '') as InvoiceBody;
      return (await business.createInvoice(sent, { dryRun: 'true' }, options)).data;
    }),
    enabled: text !== null,
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 0,
  });
}
