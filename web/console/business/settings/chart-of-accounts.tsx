import { Alert, Button, Fieldset, Group, NumberInput, Select, Skeleton, Stack, Text } from '@mantine/core';
import { TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { business } from '../../../shared/api/business';
import type { Versioned } from '../../../shared/api/versions';
import { formatDate } from '../../../shared/format';
import { ConflictNotice } from '../../components/conflict-notice';
import { Failure } from '../../components/failure';
import { FieldGrid } from '../../components/field-grid';
import { EDITED, useEditedRecord } from '../../components/use-edited-record';
import { useSession } from '../../session';
import { EditDialog } from '../records/edit-dialog';
import { ACCOUNTING_SETTINGS } from './accounting-settings';
import type { AccountingSettings } from './accounting-settings';
import { Part } from './part';
import { TaxAccounts } from './tax-accounts';
import { useSettingsForm } from './use-settings-form';

const PRESETS = ['skr03', 'skr04', 'generic'] as const;

interface ChartValues extends Record<string, unknown> {
  accounts: AccountingSettings['accounts'];
  fiscalYearStartMonth: string;
  datevAccountLength: number | string;
  datevConsultantNumber: number | string;
  datevClientNumber: number | string;
}

const readValues = (settings: AccountingSettings): ChartValues => ({
  accounts: settings.accounts,
  fiscalYearStartMonth: String(settings.fiscalYearStartMonth),
  datevAccountLength: settings.datevAccountLength,
  datevConsultantNumber: settings.datevConsultantNumber ?? '',
  datevClientNumber: settings.datevClientNumber ?? '',
});

const toBody = (values: ChartValues) => ({
  accounts: values.accounts,
  fiscalYearStartMonth: Number(values.fiscalYearStartMonth),
  datevAccountLength: Number(values.datevAccountLength),
  datevConsultantNumber: Number(values.datevConsultantNumber) || null,
  datevClientNumber: Number(values.datevClientNumber) || null,
});

/** Replaces all accounts by those of a preset. */
function PresetButton({ preset }: { preset: AccountingSettings['preset'] }) {
  const { t } = useTranslation('settings');
  const queries = useQueryClient();
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button variant="default" onClick={open}>
        {t('chart.changePreset')}
      </Button>
      <EditDialog<AccountingSettings, { preset: AccountingSettings['preset'] }>
        opened={opened}
        close={close}
        title={t('chart.changePreset')}
        {...ACCOUNTING_SETTINGS}
        toValues={(settings) => ({ preset: settings?.preset ?? preset })}
        submit={(values, options) => business.updateAccountingSettings(values, options)}
        onDone={() => queries.invalidateQueries({ queryKey: [EDITED, 'getAccountingSettings'] })}
      >
        {(form) => (
          <>
            <Text size="sm">{t('chart.presetText')}</Text>
            <Select
              label={t('chart.preset')}
              allowDeselect={false}
              data={PRESETS.map((value) => ({ value, label: t(`chart.presets.${value}`) }))}
              {...form.getInputProps('preset')}
            />
          </>
        )}
      </EditDialog>
    </>
  );
}

interface FieldsProps {
  form: UseFormReturnType<ChartValues>;
}

function HandOverFields({ form }: FieldsProps) {
  const { t, i18n } = useTranslation('settings');
  const monthName = new Intl.DateTimeFormat(i18n.language, { month: 'long', timeZone: 'UTC' });
  return (
    <Part legend={t('chart.handOver')}>
      <Select
        label={t('chart.fiscalYearStartMonth')}
        allowDeselect={false}
        data={Array.from({ length: 12 }, (_, month) => ({
          value: String(month + 1),
          label: monthName.format(Date.UTC(2026, month, 1)),
        }))}
        {...form.getInputProps('fiscalYearStartMonth')}
      />
      {(['datevAccountLength', 'datevConsultantNumber', 'datevClientNumber'] as const).map((name) => (
        <NumberInput
          key={name}
          label={t(`chart.${name}`)}
          hideControls
          allowDecimal={false}
          allowNegative={false}
          {...form.getInputProps(name)}
        />
      ))}
    </Part>
  );
}

function AccountFields({ form }: FieldsProps) {
  const { t } = useTranslation('settings');
  return (
    <Fieldset legend={t('chart.accounts')}>
      <Stack gap="xs">
        {form.values.accounts.map(({ purpose }, index) => (
          <FieldGrid key={purpose} cols={{ base: 1, sm: 3 }} spacing="xs">
            <Text size="sm" fw={600} pb={{ sm: 8 }}>
              {t(`chart.purposes.${purpose}`)}
            </Text>
            <TextInput label={t('chart.number')} required {...form.getInputProps(`accounts.${index}.number`)} />
            <TextInput label={t('name')} required {...form.getInputProps(`accounts.${index}.name`)} />
          </FieldGrid>
        ))}
      </Stack>
    </Fieldset>
  );
}

function ChartForm({ edited, isReadOnly }: { edited: Versioned<AccountingSettings>; isReadOnly: boolean }) {
  const { t: common } = useTranslation('business');
  const { form, onSubmit, isPending, failure, conflict } = useSettingsForm<AccountingSettings, ChartValues>({
    operation: 'getAccountingSettings',
    edited,
    read: (options) => business.getAccountingSettings(options),
    toValues: readValues,
    submit: (values, options) => business.updateAccountingSettings(toBody(values), options),
  });
  return (
    <form onSubmit={onSubmit}>
      <Fieldset variant="unstyled" disabled={isReadOnly}>
        <Stack>
          <HandOverFields form={form} />
          <AccountFields form={form} />
          <ConflictNotice conflict={conflict} />
          <Failure error={failure} />
          {!isReadOnly && (
            <Group>
              <Button type="submit" loading={isPending}>
                {common('save')}
              </Button>
              <PresetButton preset={edited.record.preset} />
            </Group>
          )}
        </Stack>
      </Fieldset>
    </form>
  );
}

/** The accounts to which documents are posted. */
export default function ChartOfAccounts() {
  const { t } = useTranslation('settings');
  const { business: permissions } = useSession();
  const { operation, id, read } = ACCOUNTING_SETTINGS;
  const { data, error } = useEditedRecord(operation, id, read);
  if (error !== null) return <Failure error={error} />;
  if (data === undefined) return <Skeleton h={320} />;
  const settings = data.record;
  const isReadOnly = !permissions.has('accounting:update');
  return (
    <Stack>
      <Alert color="gray">
        {t('chart.current', { preset: t(`chart.presets.${settings.preset}`) })}{' '}
        {settings.chartValidFrom !== null && t('chart.validFrom', { date: formatDate(settings.chartValidFrom) })}{' '}
        {t('chart.text')}
      </Alert>
      <ChartForm key={data.etag} edited={data} isReadOnly={isReadOnly} />
      <TaxAccounts taxes={settings.taxes} isReadOnly={isReadOnly} />
    </Stack>
  );
}
