import { Alert, Anchor, Button, Group, Paper, Skeleton, Stack, Table } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { BusinessResponse } from '../../../../clients/typescript/src/calls';
import { business, businessQuery } from '../../../shared/api/business';
import { formatDate, formatUnitPrice } from '../../../shared/format';
import { Failure } from '../../components/failure';
import { Page } from '../../components/page';
import { usePageParam } from '../../components/use-page-search';
import { useSession } from '../../session';
import { CorrectionButton } from '../payments/correction-button';
import { CreditActions } from '../payments/credit-actions';
import { PaymentDialog } from '../payments/payment-dialog';
import { CreditUses, Settlements } from '../payments/settlements';
import { WriteOffButton } from '../payments/write-off-button';
import { Fields } from '../records/fields';
import { useCompany } from '../records/lookups';
import { formatDecimal, Money } from '../records/money';
import { WideContent } from '../../components/wide-content';

type Bill = BusinessResponse<'getPayable'>['data'];

/** Pays what is open of a bill, or writes it off. */
function PayButton({ bill }: { bill: Bill }) {
  const { t } = useTranslation('purchasing');
  const [paying, pay] = useDisclosure();
  const { id, number, open, vendorId, vendorName, currencyCode } = bill;
  if (open === 0) return null;
  return (
    <>
      <WriteOffButton side="payable" item={{ documentId: id }} />
      <Button onClick={pay.open}>{t('pay')}</Button>
      <PaymentDialog
        opened={paying}
        close={pay.close}
        target={{
          side: 'payable',
          partyId: vendorId,
          partyName: vendorName,
          currencyCode,
          document: { id, number, open },
        }}
      />
    </>
  );
}

/** Voids a bill or credit note that was recorded wrongly. */
function VoidButton({ bill: { id, number } }: { bill: Bill }) {
  const { t } = useTranslation('purchasing');
  const { business: permissions } = useSession();
  if (!permissions.has('payables:update')) return null;
  return (
    <CorrectionButton
      action={t('void')}
      title={t('voidTitle', { number })}
      text={t('voidText')}
      submit={(reason) => business.voidPayable(String(id), { reason })}
    />
  );
}

/** What can be done with a bill, a credit note or a goods receipt. */
const BillActions = ({ bill }: { bill: Bill }) =>
  bill.status === 'void' ? null : (
    <>
      {bill.type !== 'receipt' && <VoidButton bill={bill} />}
      <NextSteps bill={bill} />
    </>
  );

/** What follows a bill, a credit note or a goods receipt. */
function NextSteps({ bill }: { bill: Bill }) {
  const { t } = useTranslation('purchasing');
  const { business: permissions } = useSession();
  const navigate = useNavigate();
  if (!permissions.has('payables:create')) return null;
  if (bill.type === 'credit_note')
    return (
      <CreditActions
        source={{
          side: 'payable',
          kind: 'credit_note',
          id: bill.id,
          partyId: bill.vendorId,
          currencyCode: bill.currencyCode,
          available: bill.open,
        }}
      />
    );
  if (bill.type === 'receipt') {
    const search = { vendorId: String(bill.vendorId), receiptId: String(bill.id) };
    return (
      <>
        {permissions.has('purchase-orders:receive') && (
          <Button
            variant="default"
            onClick={() => void navigate({ to: '/vendor-returns/new', search: { receiptId: search.receiptId } })}
          >
            {t('returns.new')}
          </Button>
        )}
        {bill.billId === null && (
          <Button onClick={() => void navigate({ to: '/bills/new', search })}>{t('newBill')}</Button>
        )}
      </>
    );
  }
  return (
    <>
      <Button
        variant="default"
        onClick={() => void navigate({ to: '/bills/new-credit-note', search: { billId: String(bill.id) } })}
      >
        {t('newCreditNote')}
      </Button>
      <PayButton bill={bill} />
    </>
  );
}

const BillLink = ({ id, label }: { id: number; label: string }) => (
  <Anchor component={Link} to={`/bills/${id}`} size="sm">
    {label}
  </Anchor>
);

/** A goods receipt by its number, which the bill does not have. */
function ReceiptLink({ id }: { id: number }) {
  const receiptId = String(id);
  const { data, isPending } = useQuery(
    businessQuery('getPayable', [receiptId], (options) => business.getPayable(receiptId, options)),
  );
  return isPending ? null : <BillLink id={id} label={data?.data.number ?? receiptId} />;
}

/** The order, the receipts and the bill that a document belongs to, and how a bill differs from its receipts. */
function Relations({ bill }: { bill: Bill }) {
  const { t } = useTranslation('purchasing');
  const base = useCompany()?.baseCurrencyCode ?? bill.currencyCode;
  const hasReceipts = bill.receiptIds.length > 0;
  if (bill.orderId === null && bill.billId === null && !hasReceipts) return null;
  const difference = (name: 'priceDifference' | 'quantityDifference' | 'exchangeDifference') =>
    [t(name), <Money key={name} amount={bill[name]} currency={base} />] as const;
  return (
    <Paper withBorder p="md">
      <Fields
        rows={[
          ...(bill.orderId === null
            ? []
            : ([
                [
                  t('one'),
                  <Anchor key="order" component={Link} to={`/purchase-orders/${bill.orderId}`} size="sm">
                    {t('openOrder')}
                  </Anchor>,
                ],
              ] as const)),
          ...(bill.billId === null
            ? []
            : ([[t('billedBy'), <BillLink key="bill" id={bill.billId} label={t('openBill')} />]] as const)),
          ...(hasReceipts
            ? ([
                [
                  t('receipts'),
                  <Group key="receipts" gap="xs">
                    {bill.receiptIds.map((id) => (
                      <ReceiptLink key={id} id={id} />
                    ))}
                  </Group>,
                ],
                difference('priceDifference'),
                difference('quantityDifference'),
                difference('exchangeDifference'),
              ] as const)
            : []),
        ]}
      />
    </Paper>
  );
}

function BillLines({ bill }: { bill: Bill }) {
  const { t } = useTranslation('purchasing');
  const hasReturns = bill.lines.some(({ returned }) => returned > 0);
  return (
    <WideContent label={t('lines')}>
      <Table miw={520}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('description')}</Table.Th>
            <Table.Th scope="col" ta="end">
              {t('quantity')}
            </Table.Th>
            {hasReturns && (
              <Table.Th scope="col" ta="end">
                {t('returns.returned')}
              </Table.Th>
            )}
            <Table.Th scope="col" ta="end">
              {t('unitCost')}
            </Table.Th>
            <Table.Th scope="col" ta="end">
              {t('net')}
            </Table.Th>
            <Table.Th scope="col" ta="end">
              {t('tax')}
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {bill.lines.map((line) => (
            <Table.Tr key={line.lineId}>
              <Table.Td>{line.description}</Table.Td>
              <Table.Td ta="end">{formatDecimal(line.quantity)}</Table.Td>
              {hasReturns && <Table.Td ta="end">{formatDecimal(line.returned)}</Table.Td>}
              <Table.Td ta="end">{formatUnitPrice(line.unitCost, bill.currencyCode)}</Table.Td>
              <Table.Td ta="end">
                <Money amount={line.net} currency={bill.currencyCode} />
              </Table.Td>
              <Table.Td ta="end">
                <Money amount={line.tax} currency={bill.currencyCode} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </WideContent>
  );
}

/** What settled a bill or receipt, or what a credit note settled. */
const Payments = ({ bill }: { bill: Bill }) =>
  bill.type === 'credit_note' ? (
    <CreditUses side="payable" credit={{ creditNoteId: bill.id }} currency={bill.currencyCode} />
  ) : (
    <Settlements side="payable" document={bill} />
  );

/** One bill, credit note or goods receipt of a vendor. */
export default function BillPage() {
  const { t } = useTranslation('purchasing');
  const id = usePageParam('billId');
  const { data, error } = useQuery(businessQuery('getPayable', [id], (options) => business.getPayable(id, options)));
  const bill = data?.data;
  return (
    <Page title={bill?.number ?? t('bill')} actions={bill && <BillActions bill={bill} />}>
      <Failure error={error} />
      {bill === undefined && error === null && <Skeleton h={240} />}
      {bill !== undefined && (
        <Stack>
          {bill.status === 'void' && (
            <Alert color="gray">
              {t('voidedOn', { date: formatDate(bill.voidedOn ?? ''), reason: bill.voidReason })}
            </Alert>
          )}
          <Paper withBorder p="md">
            <Fields
              rows={[
                [t('kind'), t(`kinds.${bill.type}`)],
                [
                  t('vendor'),
                  <Anchor key="vendor" component={Link} to={`/vendors/${bill.vendorId}`} size="sm">
                    {bill.vendorName}
                  </Anchor>,
                ],
                [t('billDate'), formatDate(bill.date)],
                [t('supplyDate'), formatDate(bill.supplyDate)],
                [t('dueDate'), formatDate(bill.dueDate)],
                [t('reference'), bill.reference],
                [t('net'), <Money key="net" amount={bill.total} currency={bill.currencyCode} />],
                [t('tax'), <Money key="tax" amount={bill.taxTotal} currency={bill.currencyCode} />],
                [t('total'), <Money key="total" amount={bill.grandTotal} currency={bill.currencyCode} fw={600} />],
                [t('open'), <Money key="open" amount={bill.open} currency={bill.currencyCode} fw={600} />],
              ]}
            />
          </Paper>
          <Relations bill={bill} />
          <BillLines bill={bill} />
          <Payments bill={bill} />
        </Stack>
      )}
    </Page>
  );
}
