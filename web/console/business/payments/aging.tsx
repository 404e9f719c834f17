import { Anchor, Skeleton, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { DateFilter } from '../../components/date-filter';
import { Failure } from '../../components/failure';
import { usePageSearch } from '../../components/use-page-search';
import { Money } from '../records/money';
import { agingQuery } from './ledger';
import type { Side } from './ledger';
import { ledgerSearch } from './ledger-search';
import { WideContent } from '../../components/wide-content';

const BUCKETS = ['current', 'days1to30', 'days31to60', 'days61to90', 'over90', 'unappliedCredit', 'net'] as const;

type Amounts = Record<(typeof BUCKETS)[number], number>;

function AmountCells({ amounts, currency, strong = false }: { amounts: Amounts; currency: string; strong?: boolean }) {
  return BUCKETS.map((bucket) => (
    <Table.Td key={bucket} ta="end">
      <Money amount={amounts[bucket]} currency={currency} {...(strong || bucket === 'net' ? { fw: 600 } : {})} />
    </Table.Td>
  ));
}

/** How long amounts have been open, by party and currency, on any day. */
export function Aging({ side }: { side: Side }) {
  const { t } = useTranslation('payments');
  const [{ asOf }, change] = usePageSearch(ledgerSearch);
  const { data, error } = useQuery(agingQuery(side, asOf));
  return (
    <Stack gap="sm">
      <DateFilter
        maw={220}
        label={t('asOf')}
        description={t('todayByDefault')}
        day={asOf}
        onDay={(day) => change({ asOf: day })}
      />
      <Failure error={error} />
      {data === undefined && error === null && <Skeleton h={200} />}
      {data?.rows.length === 0 && <Text>{t('agingEmpty')}</Text>}
      {data !== undefined && data.rows.length > 0 && (
        <WideContent label={t('tabs.aging')}>
          <Table miw="max-content" verticalSpacing="xs">
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col">{t(`party.${side}`)}</Table.Th>
                {BUCKETS.map((bucket) => (
                  <Table.Th key={bucket} scope="col" ta="end">
                    {t(`aging.${bucket}`)}
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {data.rows.map((row) => (
                <Table.Tr key={`${row.partyId} ${row.currencyCode}`}>
                  <Table.Td>
                    <Anchor
                      component={Link}
                      to={`/${side === 'receivable' ? 'customers' : 'vendors'}/${row.partyId}`}
                      size="sm"
                    >
                      {row.partyName}
                    </Anchor>
                  </Table.Td>
                  <AmountCells amounts={row.amounts} currency={row.currencyCode} />
                </Table.Tr>
              ))}
            </Table.Tbody>
            <Table.Tfoot>
              <Table.Tr>
                <Table.Th scope="row">{t('totalIn', { currency: data.baseCurrencyCode })}</Table.Th>
                <AmountCells amounts={data.total} currency={data.baseCurrencyCode} strong />
              </Table.Tr>
            </Table.Tfoot>
          </Table>
        </WideContent>
      )}
    </Stack>
  );
}
