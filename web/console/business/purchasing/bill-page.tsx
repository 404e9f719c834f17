import { Button, Paper, ScrollArea, Skeleton, Stack, Table } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { BusinessResponse } from '../../../../clients/typescript/src/calls';
import { business, businessQuery } from '../../../shared/api/business';
import { formatDate } from '../../../shared/format';
import { Failure } from '../../components/failure';
import { Page } from '../../components/page';
import { usePageParam } from '../../components/use-page-search';
import { useSession } from '../../session';
import { PaymentDialog } from '../payments/payment-dialog';
import { Fields } from '../records/fields';
import { formatDecimal, Money } from '../records/money';

type Bill = BusinessResponse<'getPayable'>['data'];

/** Pays a bill; what is open of it follows from the payments so far, and the API rejects more. */
function PayButton({ bill }: { bill: Bill }) {
  const { t } = useTranslation('purchasing');
  const { business: permissions } = useSession();
  const [paying, pay] = useDisclosure();
  const query = { vendorId: [bill.vendorId], search: bill.number, state: ['open' as const], pageSize: 100 };
  const { data } = useQuery(businessQuery('listPayables', [query], (options) => business.listPayables(query, options)));
  const open = data?.data.find(({ id }) => id === bill.id)?.open;
  if (!permissions.has('payables:create') || open === undefined) return null;
  return (
    <>
      <Button onClick={pay.open}>{t('pay')}</Button>
      <PaymentDialog
        key={open}
        opened={paying}
        close={pay.close}
        target={{
          side: 'payable',
          partyId: bill.vendorId,
          partyName: bill.vendorName,
          currencyCode: bill.currencyCode,
          document: { id: bill.id, number: bill.number, open },
        }}
      />
    </>
  );
}

function BillLines({ bill }: { bill: Bill }) {
  const { t } = useTranslation('purchasing');
  return (
    <ScrollArea type="auto" viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': t('lines') }}>
      <Table miw={520}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('description')}</Table.Th>
            <Table.Th scope="col">{t('quantity')}</Table.Th>
            <Table.Th scope="col">{t('unitCost')}</Table.Th>
            <Table.Th scope="col">{t('net')}</Table.Th>
            <Table.Th scope="col">{t('tax')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {bill.lines.map((line) => (
            <Table.Tr key={line.lineId}>
              <Table.Td>{line.description}</Table.Td>
              <Table.Td>{formatDecimal(line.quantity)}</Table.Td>
              <Table.Td>{formatDecimal(line.unitCost)}</Table.Td>
              <Table.Td>
                <Money amount={line.net} currency={bill.currencyCode} />
              </Table.Td>
              <Table.Td>
                <Money amount={line.tax} currency={bill.currencyCode} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea>
  );
}

/** One bill, credit note or goods receipt of a vendor. */
export default function BillPage() {
  const { t } = useTranslation('purchasing');
  const id = usePageParam('billId');
  const { data, error } = useQuery(businessQuery('getPayable', [id], (options) => business.getPayable(id, options)));
  const bill = data?.data;
  return (
    <Page title={bill?.number ?? t('bill')} actions={bill?.type === 'bill' ? <PayButton bill={bill} /> : undefined}>
      <Failure error={error} />
      {bill === undefined && error === null && <Skeleton h={240} />}
      {bill !== undefined && (
        <Stack>
          <Paper withBorder p="md">
            <Fields
              rows={[
                [t('kind'), t(`kinds.${bill.type}`)],
                [t('vendor'), bill.vendorName],
                [t('billDate'), formatDate(bill.date)],
                [t('dueDate'), formatDate(bill.dueDate)],
                [t('reference'), bill.reference],
                [t('net'), <Money key="net" amount={bill.total} currency={bill.currencyCode} />],
                [t('tax'), <Money key="tax" amount={bill.taxTotal} currency={bill.currencyCode} />],
                [t('total'), <Money key="total" amount={bill.grandTotal} currency={bill.currencyCode} fw={600} />],
              ]}
            />
          </Paper>
          <BillLines bill={bill} />
        </Stack>
      )}
    </Page>
  );
}
