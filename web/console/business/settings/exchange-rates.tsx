import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { BusinessResponse } from '../../../../clients/typescript/src/calls';
import { business } from '../../../shared/api/business';
import { formatDate, formatNumber } from '../../../shared/format';
import { DecimalInput } from '../../components/decimal-input';
import { usePageSearch } from '../../components/use-page-search';
import { useSession } from '../../session';
import { defineColumns, defineNumberColumns } from '../records/columns';
import { EditDialog } from '../records/edit-dialog';
import { useCompany, useCurrencies } from '../records/lookups';
import { oneOf, RecordList } from '../records/record-list';
import { settingsSearch } from './settings-search';

type ExchangeRate = BusinessResponse<'listExchangeRates'>['data'][number];

const SORTS = ['date', 'createdAt'] as const;
/** Significant digits of a rate, as the API accepts them. */
const DIGITS = 10;

interface RateValues extends Record<string, unknown> {
  currencyCode: string;
  date: string;
  rate: number | string;
}

interface RateDialogProps {
  /** The rate to correct; null for a new one. */
  rate: ExchangeRate | null;
  opened: boolean;
  close: () => void;
}

function RateDialog({ rate, opened, close }: RateDialogProps) {
  const { t } = useTranslation('settings');
  const { t: common } = useTranslation('business');
  const base = useCompany()?.baseCurrencyCode ?? '';
  return (
    <EditDialog<ExchangeRate, RateValues>
      opened={opened}
      close={close}
      title={t(rate === null ? 'newExchangeRate' : 'correctExchangeRate')}
      operation="getExchangeRate"
      id={rate?.id.toString()}
      read={(id, options) => business.getExchangeRate(id, options)}
      toValues={(record) => ({
        currencyCode: record?.currencyCode ?? '',
        date: record?.date ?? '',
        rate: record?.rate ?? '',
      })}
      submit={async (values, options) =>
        rate === null
          ? business.addExchangeRate({
              currencyCode: values.currencyCode.toUpperCase(),
              ...(values.date === '' ? {} : { date: values.date }),
              rate: Number(values.rate),
            })
          : business.correctExchangeRate(String(rate.id), { rate: Number(values.rate) }, options)
      }
    >
      {(form) => (
        <>
          {rate !== null && <Text size="sm">{t('correctExchangeRateText')}</Text>}
          <TextInput
            label={t('currencyCode')}
            required
            maxLength={3}
            disabled={rate !== null}
            {...form.getInputProps('currencyCode')}
          />
          <TextInput
            type="date"
            label={t('rateDate')}
            description={t('rateDateHint')}
            disabled={rate !== null}
            {...form.getInputProps('date')}
          />
          <DecimalInput
            label={t('rate')}
            description={t('rateHint', { base, currency: form.values.currencyCode || common('currencyPlaceholder') })}
            required
            allowNegative={false}
            {...form.getInputProps('rate')}
          />
        </>
      )}
    </EditDialog>
  );
}

const column = defineColumns<ExchangeRate>();
const numberColumn = defineNumberColumns<ExchangeRate>();

function useColumns(edit: ((rate: ExchangeRate) => void) | null) {
  const { t } = useTranslation('settings');
  const { t: common } = useTranslation('business');
  return [
    column('date', t('rateDate'), ({ date }) => formatDate(date)),
    column('currencyCode', t('currencyCode'), ({ currencyCode }) => currencyCode),
    numberColumn('rate', t('rate'), ({ rate }) => formatNumber(rate, { maximumSignificantDigits: DIGITS })),
    ...(edit !== null
      ? [
          column('actions', common('actions'), (rate) => (
            <Button size="xs" variant="default" onClick={() => edit(rate)}>
              {t('correct')}
            </Button>
          )),
        ]
      : []),
  ];
}

/** The exchange rates by which documents in other currencies are converted. */
export default function ExchangeRates() {
  const { t } = useTranslation('settings');
  const { business: permissions } = useSession();
  const canChange = permissions.has('config:update');
  const [position, change] = usePageSearch(settingsSearch);
  const [opened, { open, close }] = useDisclosure();
  const [chosen, setChosen] = useState<ExchangeRate | null>(null);
  const edit = (next: ExchangeRate | null): void => {
    setChosen(next);
    open();
  };
  const { page, sortDir, currency } = position;
  const query = { page, sortBy: oneOf(SORTS, position.sortBy), sortDir, currencyCode: currency };
  return (
    <Stack>
      {canChange && (
        <Group>
          <Button onClick={() => edit(null)}>{t('newExchangeRate')}</Button>
        </Group>
      )}
      <RateDialog rate={chosen} opened={opened} close={close} />
      <RecordList
        label={t('tabs.exchange-rates')}
        columns={useColumns(canChange ? edit : null)}
        getRowId={({ id }) => String(id)}
        operation="listExchangeRates"
        parameters={[query]}
        read={(options) => business.listExchangeRates(query, options)}
        position={position}
        change={change}
        sortable={SORTS}
        isSearchable={false}
        isFiltered={currency !== undefined}
        resetFilters={() => change({ currency: undefined, page: 1 })}
        filters={
          <Select
            label={t('currencyCode')}
            clearable
            data={useCurrencies()}
            value={currency ?? null}
            onChange={(value) => change({ currency: value ?? undefined, page: 1 })}
          />
        }
        empty={<Text maw={480}>{t('noExchangeRates')}</Text>}
      />
    </Stack>
  );
}
