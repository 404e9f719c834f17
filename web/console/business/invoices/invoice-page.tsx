import { Alert, Anchor, Grid, Group, Paper, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { business, businessQuery } from '../../../shared/api/business';
import { formatDate, formatMoney } from '../../../shared/format';
import { readVersion } from '../../../shared/api/versions';
import { Failure } from '../../components/failure';
import { Page } from '../../components/page';
import { usePageParam } from '../../components/use-page-search';
import { InvoiceMessages } from '../messages/invoice-messages';
import { Settlements } from '../payments/settlements';
import { Fields } from '../records/fields';
import { formatDecimal, Money } from '../records/money';
import { PdfPreview } from '../records/pdf-preview';
import { CalculationSteps } from './calculation-steps';
import { DocumentLines } from './document-lines';
import { InvoiceActions } from './invoice-actions';
import { InvoiceStatus } from './invoice-status';
import type { Invoice } from './invoice-values';
import { Totals } from './totals';

const OrderLink = ({ id, number }: { id: number; number: string }) => (
  <Anchor component={Link} to={`/sales-orders/${id}`} size="sm">
    {number}
  </Anchor>
);

function Facts({ invoice }: { invoice: Invoice }) {
  const { t } = useTranslation('invoices');
  const { t: common } = useTranslation('business');
  const { deliveryDate, deliveryPeriod, earlyPaymentDiscount: discount, prepaid, salesOrder } = invoice;
  const delivered =
    deliveryPeriod === null
      ? deliveryDate && formatDate(deliveryDate)
      : `${formatDate(deliveryPeriod.start)} – ${formatDate(deliveryPeriod.end)}`;
  return (
    <Fields
      rows={[
        [
          t('customer'),
          <Anchor key="customer" component={Link} to={`/customers/${invoice.customerId}`} size="sm">
            {invoice.customerName}
          </Anchor>,
        ],
        [t('issueDate'), formatDate(invoice.issueDate)],
        [t('dueDate'), formatDate(invoice.dueDate)],
        [t('paymentTerms'), common(`terms.${invoice.paymentTerms}`)],
        [t('delivered'), delivered],
        [
          t('earlyPaymentPercent'),
          discount &&
            t('earlyPaymentTerms', {
              percent: formatDecimal(discount.percent),
              until: formatDate(discount.until),
              payable: formatMoney(discount.payable, invoice.currencyCode),
            }),
        ],
        [t('reference'), invoice.reference],
        [t('buyerReference'), invoice.buyerReference],
        ...(salesOrder === null ? [] : ([[t('salesOrder'), <OrderLink key="order" {...salesOrder} />]] as const)),
        ...(invoice.deposit ? ([[t('kind'), t('kinds.deposit')]] as const) : []),
        ...((prepaid?.deposits.length ?? 0) > 0
          ? ([
              [
                t('deposits'),
                <Group key="deposits" gap="xs">
                  {prepaid?.deposits.map(({ invoiceId, number }) => (
                    <Anchor key={invoiceId} component={Link} to={`/invoices/${invoiceId}`} size="sm">
                      {number}
                    </Anchor>
                  ))}
                </Group>,
              ],
            ] as const)
          : []),
        [t('open'), <Money key="open" amount={invoice.open} currency={invoice.currencyCode} fw={600} />],
        [t('contentHash'), invoice.contentHash],
      ]}
    />
  );
}

function Content({ invoice }: { invoice: Invoice }) {
  const { t } = useTranslation('invoices');
  const id = String(invoice.id);
  return (
    <Grid gap="md">
      <Grid.Col span={{ base: 12, lg: invoice.status === 'draft' ? 12 : 6 }}>
        <Stack>
          {invoice.status === 'void' && (
            <Alert color="gray">
              {t(invoice.voidReason === null ? 'voidedOn' : 'voidedOnBecause', {
                date: formatDate(invoice.voidedOn ?? ''),
                reason: invoice.voidReason,
              })}
            </Alert>
          )}
          <Paper withBorder p="md">
            <Facts invoice={invoice} />
          </Paper>
          <DocumentLines lines={invoice.lines} currency={invoice.currencyCode} />
          <Paper withBorder p="md" maw={420} w="100%" ml="auto">
            <Totals amounts={invoice} />
          </Paper>
          {invoice.notes !== null && (
            <Text size="sm" style={{ whiteSpace: 'pre-line' }}>
              {invoice.notes}
            </Text>
          )}
          {invoice.number !== null && <Settlements side="receivable" document={invoice} />}
          <CalculationSteps id={invoice.id} />
          <InvoiceMessages invoice={invoice} />
        </Stack>
      </Grid.Col>
      {invoice.number !== null && (
        <Grid.Col span={{ base: 12, lg: 6 }}>
          <PdfPreview
            operation="downloadInvoicePdf"
            parameters={[id, invoice.status === 'void']}
            read={(options) => business.downloadInvoicePdf(id, {}, options)}
            label={invoice.number}
          />
        </Grid.Col>
      )}
    </Grid>
  );
}

/** One invoice or draft: content, printed pages and what can be done with it. */
export default function InvoicePage() {
  const { t } = useTranslation('invoices');
  const id = usePageParam('invoiceId');
  const { data, error } = useQuery(
    businessQuery('getInvoice', [id], (options) => readVersion((call) => business.getInvoice(id, call), options)),
  );
  const invoice = data?.record;
  const title = invoice === undefined ? t('invoice') : (invoice.number ?? t('draftNumber', { id }));
  return (
    <Page title={title} actions={data && <InvoiceActions invoice={data.record} etag={data.etag} />}>
      <Failure error={error} />
      {invoice !== undefined && (
        <Group>
          <InvoiceStatus invoice={invoice} />
        </Group>
      )}
      {invoice === undefined ? error === null && <Skeleton h={320} /> : <Content invoice={invoice} />}
    </Page>
  );
}
