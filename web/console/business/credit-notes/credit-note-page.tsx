import { Anchor, Grid, Paper, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { BusinessResponse } from '../../../../clients/typescript/src/calls';
import { business, businessQuery } from '../../../shared/api/business';
import { formatDate } from '../../../shared/format';
import { Failure } from '../../components/failure';
import { Page } from '../../components/page';
import { usePageParam } from '../../components/use-page-search';
import { DocumentLines } from '../invoices/document-lines';
import { DownloadMenu } from '../invoices/download-menu';
import { Totals } from '../invoices/totals';
import { CreditActions } from '../payments/credit-actions';
import { CreditUses } from '../payments/settlements';
import { Fields } from '../records/fields';
import { PdfPreview } from '../records/pdf-preview';

type CreditNote = BusinessResponse<'getCreditNote'>['data'];

function NoteActions({ note }: { note: CreditNote }) {
  return (
    <>
      <DownloadMenu kind="credit_note" id={note.id} number={note.number} />
      <CreditActions
        source={{
          side: 'receivable',
          kind: 'credit_note',
          id: note.id,
          partyId: note.customerId,
          currencyCode: note.currencyCode,
          available: note.unapplied,
        }}
      />
    </>
  );
}

/** One credit note with its printed pages. */
export default function CreditNotePage() {
  const { t } = useTranslation('invoices');
  const { t: common } = useTranslation('business');
  const id = usePageParam('creditNoteId');
  const { data, error } = useQuery(
    businessQuery('getCreditNote', [id], (options) => business.getCreditNote(id, options)),
  );
  const note = data?.data;
  return (
    <Page title={note?.number ?? t('creditNote')} actions={note && <NoteActions note={note} />}>
      <Failure error={error} />
      {note === undefined ? (
        error === null && <Skeleton h={320} />
      ) : (
        <Grid gap="md">
          <Grid.Col span={{ base: 12, lg: 6 }}>
            <Stack>
              <Paper withBorder p="md">
                <Fields
                  rows={[
                    [
                      t('customer'),
                      <Anchor key="customer" component={Link} to={`/customers/${note.customerId}`} size="sm">
                        {note.customerName}
                      </Anchor>,
                    ],
                    [t('issueDate'), formatDate(note.issueDate)],
                    [
                      t('invoice'),
                      <Anchor key="invoice" component={Link} to={`/invoices/${note.invoiceId}`} size="sm">
                        {note.invoiceNumber}
                      </Anchor>,
                    ],
                    [common('reason'), note.reason],
                  ]}
                />
              </Paper>
              <DocumentLines lines={note.lines} currency={note.currencyCode} />
              <Paper withBorder p="md" maw={420} w="100%" ml="auto">
                <Totals amounts={note} />
              </Paper>
              <CreditUses side="receivable" credit={{ creditNoteId: note.id }} currency={note.currencyCode} />
            </Stack>
          </Grid.Col>
          <Grid.Col span={{ base: 12, lg: 6 }}>
            <PdfPreview
              operation="downloadCreditNotePdf"
              parameters={[id]}
              read={(options) => business.downloadCreditNotePdf(id, {}, options)}
              label={note.number}
            />
          </Grid.Col>
        </Grid>
      )}
    </Page>
  );
}
