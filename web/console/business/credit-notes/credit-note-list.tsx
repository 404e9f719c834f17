import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { BusinessResponse } from '../../../../clients/typescript/src/calls';
import { business } from '../../../shared/api/business';
import { formatDate } from '../../../shared/format';
import { pageSearch } from '../../components/list-search';
import { Page } from '../../components/page';
import { usePageSearch } from '../../components/use-page-search';
import { ExportButton } from '../exports/export-button';
import { defineColumns, defineNumberColumns } from '../records/columns';
import { Money } from '../records/money';
import { oneOf, RecordList } from '../records/record-list';

type CreditNote = BusinessResponse<'listCreditNotes'>['data'][number];

const SORTS = ['number', 'issueDate'] as const;

const column = defineColumns<CreditNote>();
const numberColumn = defineNumberColumns<CreditNote>();

function useColumns() {
  const { t } = useTranslation('invoices');
  return [
    column('number', t('number'), ({ id, number }) => (
      <Anchor component={Link} to={`/credit-notes/${id}`} size="sm">
        {number}
      </Anchor>
    )),
    column('customerName', t('customer'), ({ customerName }) => customerName),
    column('issueDate', t('issueDate'), ({ issueDate }) => formatDate(issueDate)),
    numberColumn('grandTotal', t('total'), ({ grandTotal, currencyCode }) => (
      <Money amount={grandTotal} currency={currencyCode} />
    )),
  ];
}

/** Every credit note, newest first. */
export default function CreditNoteListPage() {
  const { t } = useTranslation('invoices');
  const [position, change] = usePageSearch(pageSearch);
  const { page, search, sortDir } = position;
  const query = { page, search, sortBy: oneOf(SORTS, position.sortBy), sortDir };
  return (
    <Page title={t('creditNotes')} actions={<ExportButton resource="credit-notes" filters={{ search }} />}>
      <RecordList
        label={t('creditNotes')}
        columns={useColumns()}
        getRowId={({ id }) => String(id)}
        operation="listCreditNotes"
        parameters={[query]}
        read={(options) => business.listCreditNotes(query, options)}
        position={position}
        change={change}
        sortable={SORTS}
        empty={<Text maw={480}>{t('creditNotesEmpty')}</Text>}
      />
    </Page>
  );
}
