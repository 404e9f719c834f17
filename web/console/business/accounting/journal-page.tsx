import { Anchor, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { business, businessQuery } from '../../../shared/api/business';
import { formatDate } from '../../../shared/format';
import { pageSearch, textFilter } from '../../components/list-search';
import { usePageSearch } from '../../components/use-page-search';
import { defineColumns } from '../records/columns';
import { useCompany } from '../records/lookups';
import { Money } from '../records/money';
import { RecordList } from '../records/record-list';
import { AccountingPage } from './accounting-tabs';
import { DaysFilter } from './days-filter';
import { DocumentLink, EntryDialog } from './journal-entry';
import type { JournalEntry } from './journal-entry';

const journalSearch = pageSearch.extend({ dateFrom: textFilter, dateTo: textFilter, entry: textFilter });

const column = defineColumns<JournalEntry>();

/** The lines of one side, one below the other. */
function Side({
  entry,
  side,
  currency,
}: {
  entry: JournalEntry;
  side: 'debit' | 'credit';
  currency: string | undefined;
}) {
  return (
    <Stack gap={0}>
      {entry.lines
        .filter((line) => line[side] !== 0)
        .map((line) => (
          <Group key={`${line.accountNumber} ${line[side]}`} gap="xs" justify="space-between" wrap="nowrap">
            <Text size="sm" title={line.accountName}>
              {line.accountNumber}
            </Text>
            <Money amount={line[side]} currency={currency} />
          </Group>
        ))}
    </Stack>
  );
}

function useColumns(currency: string | undefined, open: (id: string) => void) {
  const { t } = useTranslation('accounting');
  return [
    column('date', t('date'), ({ date }) => formatDate(date)),
    column('kind', t('kind'), ({ id, kind }) => (
      <Anchor component="button" size="sm" onClick={() => open(id)}>
        {t(`kinds.${kind}`)}
      </Anchor>
    )),
    column('document', t('document'), (entry) => <DocumentLink entry={entry} />),
    column('description', t('description'), ({ description }) => description),
    column('debit', t('debit'), (entry) => <Side entry={entry} side="debit" currency={currency} />),
    column('credit', t('credit'), (entry) => <Side entry={entry} side="credit" currency={currency} />),
  ];
}

/** The journal in double entry, by day, each entry with its lines and its document. */
export default function JournalPage() {
  const { t } = useTranslation('accounting');
  const [search, change] = usePageSearch(journalSearch);
  const { page, dateFrom, dateTo, entry } = search;
  const query = { page, dateFrom, dateTo };
  const read = (options: { signal: AbortSignal }) => business.listJournalEntries(query, options);
  // The list reads the same query, so that it is requested once.
  const { data } = useQuery(businessQuery('listJournalEntries', [query], read));
  const currency = useCompany()?.baseCurrencyCode;
  return (
    <AccountingPage tab="journal">
      <RecordList
        label={t('tabs.journal')}
        columns={useColumns(currency, (id) => change({ entry: id }))}
        getRowId={({ id }) => id}
        operation="listJournalEntries"
        parameters={[query]}
        read={read}
        position={search}
        change={change}
        isSearchable={false}
        isFiltered={dateFrom !== undefined || dateTo !== undefined}
        resetFilters={() => change({ dateFrom: undefined, dateTo: undefined, page: 1 })}
        filters={<DaysFilter days={{ dateFrom, dateTo }} change={(days) => change({ ...days, page: 1 })} />}
        empty={<Text maw={480}>{t('empty')}</Text>}
      />
      <EntryDialog
        entry={data?.data.find(({ id }) => id === entry)}
        baseCurrency={currency}
        close={() => change({ entry: undefined })}
      />
    </AccountingPage>
  );
}
