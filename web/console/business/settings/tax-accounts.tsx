import { Anchor, Checkbox, Fieldset, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { BusinessBody } from '../../../../clients/typescript/src/calls';
import { business } from '../../../shared/api/business';
import { DecimalInput } from '../../components/decimal-input';
import { SimpleTable } from '../../components/simple-table';
import { EDITED } from '../../components/use-edited-record';
import { EditDialog } from '../records/edit-dialog';
import { formatDecimal } from '../records/money';
import { ACCOUNTING_SETTINGS } from './accounting-settings';
import type { AccountingSettings } from './accounting-settings';

type TaxRow = AccountingSettings['taxes'][number];
type TaxRowInput = NonNullable<BusinessBody<'updateAccountingSettings'>['taxes']>[number];
type Account = TaxRow['revenue'];

const NO_ACCOUNT: Account = { number: '', name: '' };

interface RowValues extends Record<string, unknown> {
  revenue: Account;
  discounts: Account;
  outputTax: Account;
  purchases: Account;
  inputTax: Account;
  hasSelfAssessment: boolean;
  selfAssessed: { percent: number | string; outputTax: Account; inputTax: Account };
  datev: { automaticRevenue: boolean; purchaseKey: string };
}

const readValues = (row: TaxRow): RowValues => ({
  revenue: row.revenue,
  discounts: row.discounts ?? NO_ACCOUNT,
  outputTax: row.outputTax ?? NO_ACCOUNT,
  purchases: row.purchases,
  inputTax: row.inputTax ?? NO_ACCOUNT,
  hasSelfAssessment: row.selfAssessed !== null,
  selfAssessed: row.selfAssessed ?? { percent: '', outputTax: NO_ACCOUNT, inputTax: NO_ACCOUNT },
  datev: { ...row.datev, purchaseKey: row.datev.purchaseKey ?? '' },
});

const toAccount = (account: Account): Account | null => (account.number === '' ? null : account);

const toRow = ({ category, percent }: TaxRow, values: RowValues): TaxRow => ({
  category,
  percent,
  revenue: values.revenue,
  discounts: toAccount(values.discounts),
  outputTax: toAccount(values.outputTax),
  purchases: values.purchases,
  inputTax: toAccount(values.inputTax),
  selfAssessed: values.hasSelfAssessment
    ? { ...values.selfAssessed, percent: Number(values.selfAssessed.percent) }
    : null,
  datev: { ...values.datev, purchaseKey: values.datev.purchaseKey || null },
});

const isSameTax = (one: TaxRow, other: TaxRow): boolean =>
  one.category === other.category && one.percent === other.percent;

/** The whole table, as the API replaces it, with one row changed, or added again if another user has removed it. */
const replaceRow = (taxes: readonly TaxRow[], row: TaxRow, values: RowValues): TaxRowInput[] => {
  const changed = toRow(row, values);
  const others = taxes.map((each) => (isSameTax(each, row) ? changed : each));
  return others.includes(changed) ? others : [...others, changed];
};

interface AccountFieldsProps {
  form: UseFormReturnType<RowValues>;
  path: string;
  label: string;
  required?: boolean;
}

function AccountFields({ form, path, label, required = false }: AccountFieldsProps) {
  const { t } = useTranslation('settings');
  return (
    <Fieldset legend={label}>
      <Group wrap="nowrap" align="start">
        <TextInput w={120} label={t('chart.number')} required={required} {...form.getInputProps(`${path}.number`)} />
        <TextInput flex={1} label={t('name')} required={required} {...form.getInputProps(`${path}.name`)} />
      </Group>
    </Fieldset>
  );
}

function RowFields({ form }: { form: UseFormReturnType<RowValues> }) {
  const { t } = useTranslation('settings');
  return (
    <>
      <AccountFields form={form} path="revenue" label={t('chart.revenue')} required />
      <AccountFields form={form} path="discounts" label={t('chart.discounts')} />
      <AccountFields form={form} path="outputTax" label={t('chart.outputTax')} />
      <AccountFields form={form} path="purchases" label={t('chart.purchases')} required />
      <AccountFields form={form} path="inputTax" label={t('chart.inputTax')} />
      <Checkbox label={t('chart.selfAssessed')} {...form.getInputProps('hasSelfAssessment', { type: 'checkbox' })} />
      {form.values.hasSelfAssessment && (
        <>
          <DecimalInput
            label={t('percent')}
            required
            decimalScale={4}
            {...form.getInputProps('selfAssessed.percent')}
          />
          <AccountFields form={form} path="selfAssessed.outputTax" label={t('chart.outputTax')} required />
          <AccountFields form={form} path="selfAssessed.inputTax" label={t('chart.inputTax')} required />
        </>
      )}
      <Checkbox
        label={t('chart.automaticRevenue')}
        description={t('chart.automaticRevenueHint')}
        {...form.getInputProps('datev.automaticRevenue', { type: 'checkbox' })}
      />
      <TextInput label={t('chart.purchaseKey')} maxLength={4} {...form.getInputProps('datev.purchaseKey')} />
    </>
  );
}

interface TaxAccountsProps {
  taxes: readonly TaxRow[];
  isReadOnly: boolean;
}

/** The accounts by tax category and percentage. */
export function TaxAccounts({ taxes, isReadOnly }: TaxAccountsProps) {
  const queries = useQueryClient();
  const { t } = useTranslation('settings');
  const [opened, { open, close }] = useDisclosure();
  const [chosen, setChosen] = useState(0);
  const row = taxes[chosen];
  const describe = ({ category, percent }: TaxRow): string =>
    `${category} – ${t(`categories.${category}`)}, ${percent === null ? t('chart.anyPercent') : `${formatDecimal(percent)} %`}`;
  const edit = (index: number): void => {
    setChosen(index);
    open();
  };
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">
        {t('chart.taxes')}
      </Title>
      <SimpleTable
        label={t('chart.taxes')}
        head={[t('category'), t('chart.revenue'), t('chart.outputTax'), t('chart.purchases'), t('chart.inputTax')]}
        rows={taxes.map((each, index) => ({
          key: describe(each),
          cells: [
            isReadOnly ? (
              describe(each)
            ) : (
              <Anchor key="edit" component="button" size="sm" onClick={() => edit(index)}>
                {describe(each)}
              </Anchor>
            ),
            ...[each.revenue, each.outputTax, each.purchases, each.inputTax].map((account) => (
              <Text key={account?.number} component="span" size="sm" title={account?.name}>
                {account?.number ?? '–'}
              </Text>
            )),
          ],
        }))}
      />
      {row !== undefined && (
        <EditDialog<AccountingSettings, RowValues>
          opened={opened}
          close={close}
          title={describe(row)}
          size="lg"
          {...ACCOUNTING_SETTINGS}
          toValues={(settings) => readValues(settings?.taxes.find((each) => isSameTax(each, row)) ?? row)}
          submit={(values, options, settings) =>
            business.updateAccountingSettings({ taxes: replaceRow(settings?.taxes ?? taxes, row, values) }, options)
          }
          onDone={() => queries.invalidateQueries({ queryKey: [EDITED, 'getAccountingSettings'] })}
        >
          {(form) => <RowFields form={form} />}
        </EditDialog>
      )}
    </Stack>
  );
}
