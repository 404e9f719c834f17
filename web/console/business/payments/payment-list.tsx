import { Anchor, Badge, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { formatDate } from '../../../shared/format';
import { usePageSearch } from '../../components/use-page-search';
import { defineColumns, defineNumberColumns } from '../records/columns';
import { Money } from '../records/money';
import { oneOf, RecordList } from '../records/record-list';
import { listPayments } from './ledger';
import type { PaymentSummary, Side } from './ledger';
import { ledgerSearch } from './ledger-search';

const SORTS = ['date'] as const;

const column = defineColumns<PaymentSummary>();
const numberColumn = defineNumberColumns<PaymentSummary>();

function useColumns(side: Side, hasParty: boolean) {
  const { t } = useTranslation('payments');
  return [
    column('date', t('date'), ({ id, date }) => (
      <Anchor component={Link} to={`/${side}s/payments/${id}`} size="sm">
        {formatDate(date)}
      </Anchor>
    )),
    ...(hasParty ? [] : [column('partyName', t(`party.${side}`), ({ partyName }) => partyName)]),
    column('type', t('kind'), ({ type }) => t(`kinds.${type}`)),
    column('method', t('method'), ({ method }) => t(`methods.${method}`)),
    column('reference', t('reference'), ({ reference }) => reference ?? '–'),
    column('status', t('status'), ({ status }) => (
      <Badge variant="light" color={status === 'void' ? 'gray' : 'green'}>
        {t(`statuses.${status}`)}
      </Badge>
    )),
    numberColumn('amount', t('amountLabel'), ({ amount, currencyCode }) => (
      <Money amount={amount} currency={currencyCode} />
    )),
  ];
}

/** Payments and refunds of all customers or vendors, or of one. */
export function PaymentList({ side, partyId }: { side: Side; partyId?: number }) {
  const { t } = useTranslation('payments');
  const [position, change] = usePageSearch(ledgerSearch);
  const { page, search, sortDir } = position;
  const query = { page, search, sortBy: oneOf(SORTS, position.sortBy), sortDir };
  return (
    <RecordList
      label={t('tabs.payments')}
      columns={useColumns(side, partyId !== undefined)}
      getRowId={({ id }) => String(id)}
      operation={side === 'receivable' ? 'listReceivablePayments' : 'listPayablePayments'}
      parameters={[query, partyId]}
      read={(options) => listPayments(side, query, partyId, options)}
      position={position}
      change={change}
      sortable={SORTS}
      empty={<Text>{t('emptyPayments')}</Text>}
    />
  );
}
