import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { business } from '../../../shared/api/business';
import { ifMatch } from '../../../shared/api/versions';
import { useSession } from '../../session';
import { PaymentDialog } from '../payments/payment-dialog';
import { WriteOffButton } from '../payments/write-off-button';
import { ConfirmDialog } from '../records/confirm-dialog';
import { CreditNoteDialog } from './credit-note-dialog';
import { DownloadMenu } from './download-menu';
import { PreviewButton } from './draft-preview';
import { readValues, toDraftBody } from './invoice-values';
import type { Invoice } from './invoice-values';
import { SendButton } from './send-button';

/** Reads again whatever the change of an invoice may have changed: lists, balances and stock. */
function useRefresh(): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: ['business'] });
}

interface InvoiceActionsProps {
  invoice: Invoice;
  /** The version that is shown: a draft that has changed since is neither issued nor deleted. */
  etag: string | null;
}

function DraftActions({ invoice, etag }: InvoiceActionsProps) {
  const { t } = useTranslation('invoices');
  const { t: common } = useTranslation('business');
  const { business: permissions } = useSession();
  const navigate = useNavigate();
  const refresh = useRefresh();
  const [issuing, issue] = useDisclosure();
  const [deleting, remove] = useDisclosure();
  const id = String(invoice.id);
  return (
    <>
      {permissions.has('invoices:create') && <PreviewButton body={toDraftBody(readValues(invoice))} />}
      {permissions.has('invoices:update') && (
        <Button variant="default" component={Link} to={`/invoices/${id}/edit`}>
          {common('edit')}
        </Button>
      )}
      {permissions.has('invoices:delete') && (
        <Button variant="default" onClick={remove.open}>
          {common('delete')}
        </Button>
      )}
      {permissions.has('invoices:issue') && <Button onClick={issue.open}>{t('issue')}</Button>}
      <ConfirmDialog
        opened={issuing}
        close={issue.close}
        title={t('issueTitle')}
        action={t('issue')}
        submit={() => business.issueInvoice(id, {}, ifMatch(etag))}
        onDone={async () => {
          await refresh();
          notifications.show({ color: 'green', message: t('issued') });
        }}
      >
        {t('issueText')}
      </ConfirmDialog>
      <ConfirmDialog
        opened={deleting}
        close={remove.close}
        title={t('deleteTitle')}
        action={common('delete')}
        isDestructive
        submit={() => business.deleteInvoice(id, ifMatch(etag))}
        onDone={async () => {
          await navigate({ to: '/invoices' });
          await refresh();
        }}
      >
        {t('deleteText')}
      </ConfirmDialog>
    </>
  );
}

function IssuedActions({ invoice }: { invoice: Invoice }) {
  const { t } = useTranslation('invoices');
  const { business: permissions } = useSession();
  const refresh = useRefresh();
  const [voiding, reverse] = useDisclosure();
  const [crediting, credit] = useDisclosure();
  const [paying, pay] = useDisclosure();
  const number = invoice.number ?? '';
  const isVoid = invoice.status === 'void';
  return (
    <>
      <DownloadMenu kind="invoice" id={invoice.id} number={number} />
      {permissions.has('messages:send') && !isVoid && <SendButton invoice={invoice} />}
      {permissions.has('credit-notes:create') && !isVoid && invoice.status !== 'credited' && (
        <Button variant="default" onClick={credit.open}>
          {t('creditNote')}
        </Button>
      )}
      {permissions.has('invoices:void') && invoice.status === 'issued' && (
        <Button variant="default" onClick={reverse.open}>
          {t('void')}
        </Button>
      )}
      {permissions.has('receivables:create') && invoice.open > 0 && (
        <>
          <WriteOffButton side="receivable" item={{ documentId: invoice.id }} />
          <Button onClick={pay.open}>{t('registerPayment')}</Button>
          <PaymentDialog
            opened={paying}
            close={pay.close}
            target={{
              side: 'receivable',
              partyId: invoice.customerId,
              partyName: invoice.customerName,
              currencyCode: invoice.currencyCode,
              document: { id: invoice.id, number, open: invoice.open },
            }}
          />
        </>
      )}
      <CreditNoteDialog invoice={invoice} opened={crediting} close={credit.close} />
      <ConfirmDialog
        opened={voiding}
        close={reverse.close}
        title={t('voidTitle', { number })}
        action={t('void')}
        isDestructive
        needsReason
        submit={(reason) => business.voidInvoice(String(invoice.id), { reason })}
        onDone={refresh}
      >
        {t('voidText')}
      </ConfirmDialog>
    </>
  );
}

/** What the user may do with an invoice in its present status. */
export const InvoiceActions = ({ invoice, etag }: InvoiceActionsProps) =>
  invoice.status === 'draft' ? <DraftActions invoice={invoice} etag={etag} /> : <IssuedActions invoice={invoice} />;
