import { Anchor, Badge, Select, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { formatDate } from '../../../shared/format';
import { usePageSearch } from '../../components/use-page-search';
import { defineColumns, defineNumberColumns } from '../records/columns';
import { Money } from '../records/money';
import { oneOf, RecordList } from '../records/record-list';
import { documentPath, listItems } from './ledger';
import type { OpenItem, Side } from './ledger';
import { ledgerSearch } from './ledger-search';

/** States by which documents are listed; those that are open unless another one is chosen. */
export const ITEM_STATES = ['open', 'overdue', 'settled', 'void', 'all'] as const;
const SORTS = ['date', 'dueDate'] as const;
const COLORS = { open: 'blue', settled: 'green', void: 'gray' } as const;

const column = defineColumns<OpenItem>();
const numberColumn = defineNumberColumns<OpenItem>();

function useColumns(side: Side, hasParty: boolean) {
  const { t } = useTranslation('payments');
  const party = column('partyName', t(`party.${side}`), ({ partyId, partyName }) => (
    <Anchor component={Link} to={`/${side === 'receivable' ? 'customers' : 'vendors'}/${partyId}`} size="sm">
      {partyName}
    </Anchor>
  ));
  return [
    column('number', t('document'), (item) => (
      <Anchor component={Link} to={documentPath(side, item)} size="sm">
        {item.number}
      </Anchor>
    )),
    ...(hasParty ? [] : [party]),
    column('date', t('date'), ({ date }) => formatDate(date)),
    column('dueDate', t('dueDate'), ({ dueDate }) => formatDate(dueDate)),
    column('state', t('state'), ({ overdue, state }) => (
      <Badge variant="light" color={overdue ? 'red' : COLORS[state]}>
        {t(overdue ? 'states.overdue' : `states.${state}`)}
      </Badge>
    )),
    numberColumn('amount', t('amountLabel'), ({ amount, currencyCode }) => (
      <Money amount={amount} currency={currencyCode} />
    )),
    numberColumn('open', t('openAmount'), ({ open, currencyCode }) => (
      <Money amount={open} currency={currencyCode} fw={600} />
    )),
  ];
}

/** Open and settled documents of all customers or vendors, or of one. */
export function OpenItems({ side, partyId }: { side: Side; partyId?: number }) {
  const { t } = useTranslation('payments');
  const [position, change] = usePageSearch(ledgerSearch);
  const state = oneOf(ITEM_STATES, position.state);
  const { page, search, sortDir } = position;
  const sortBy = oneOf(SORTS, position.sortBy);
  const query = { page, search, sortBy, sortDir, state: state && [state] };
  return (
    <RecordList
      label={t(side === 'receivable' ? 'receivables' : 'payables')}
      columns={useColumns(side, partyId !== undefined)}
      getRowId={({ id }) => String(id)}
      operation={side === 'receivable' ? 'listReceivables' : 'listPayables'}
      parameters={[query, partyId]}
      read={(options) => listItems(side, query, partyId, options)}
      position={position}
      change={change}
      sortable={SORTS}
      isFiltered={state !== undefined}
      resetFilters={() => change({ state: undefined, search: undefined, page: 1 })}
      filters={
        <Select
          label={t('state')}
          data={ITEM_STATES.map((value) => ({ value, label: t(`states.${value}`) }))}
          value={state ?? 'open'}
          allowDeselect={false}
          onChange={(value) => change({ state: value === 'open' ? undefined : (value ?? undefined), page: 1 })}
        />
      }
      empty={<Text maw={480}>{t(side === 'receivable' ? 'emptyReceivables' : 'emptyPayables')}</Text>}
    />
  );
}
