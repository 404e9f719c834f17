import { Button, Fieldset, Group, NumberInput, Skeleton, Stack, Switch, Text, Textarea } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import type { BusinessBody, BusinessResponse } from '../../../../clients/typescript/src/calls';
import { business } from '../../../shared/api/business';
import type { Versioned } from '../../../shared/api/versions';
import { DecimalInput } from '../../components/decimal-input';
import { ConflictNotice } from '../../components/conflict-notice';
import { Failure } from '../../components/failure';
import { FieldGrid } from '../../components/field-grid';
import { useEditedRecord } from '../../components/use-edited-record';
import { useSession } from '../../session';
import { DOCUMENT_LANGUAGES, useCompany } from '../records/lookups';
import { useSettingsForm } from './use-settings-form';

type Schedule = BusinessResponse<'getReminderSchedule'>['data'];
type ScheduleBody = BusinessBody<'setReminderSchedule'>;

/** Levels that a schedule can have. */
const MAX_LEVELS = 5;

interface LevelValues {
  /** Identifies the level while the form is open. */
  key: string;
  daysAfterDue: number | string;
  fee: number | string;
  interestText: Record<(typeof DOCUMENT_LANGUAGES)[number], string>;
}

interface ScheduleValues extends Record<string, unknown> {
  automatic: boolean;
  hour: number | string;
  minimumOpenAmount: number | string;
  levels: LevelValues[];
}

const NO_TEXTS = { en: '', de: '', fr: '', es: '' };

const readValues = ({ automatic, hour, minimumOpenAmount, levels }: Schedule): ScheduleValues => ({
  automatic,
  hour,
  minimumOpenAmount,
  levels: levels.map(({ daysAfterDue, fee, interestText }) => ({
    key: String(daysAfterDue),
    daysAfterDue,
    fee: fee ?? '',
    interestText: { ...NO_TEXTS, ...interestText },
  })),
});

const toBody = ({ automatic, hour, minimumOpenAmount, levels }: ScheduleValues): ScheduleBody => ({
  automatic,
  hour: Number(hour),
  minimumOpenAmount: Number(minimumOpenAmount),
  levels: levels.map(({ daysAfterDue, fee, interestText }) => ({
    daysAfterDue: Number(daysAfterDue),
    ...(fee === '' ? {} : { fee: Number(fee) }),
    interestText: Object.fromEntries(Object.entries(interestText).filter(([, text]) => text !== '')),
  })),
});

interface LevelProps {
  form: UseFormReturnType<ScheduleValues>;
  index: number;
  currency: string;
}

function Level({ form, index, currency }: LevelProps) {
  const { t } = useTranslation('settings');
  const { t: common } = useTranslation('business');
  const path = `levels.${index}`;
  return (
    <Fieldset legend={t('reminders.level', { level: index + 1 })}>
      <Stack gap="sm">
        <FieldGrid cols={{ base: 1, sm: 2 }}>
          <NumberInput
            label={t('reminders.daysAfterDue')}
            required
            min={1}
            allowDecimal={false}
            {...form.getInputProps(`${path}.daysAfterDue`)}
          />
          <DecimalInput
            label={t('reminders.fee', { currency })}
            allowNegative={false}
            decimalScale={4}
            {...form.getInputProps(`${path}.fee`)}
          />
          {DOCUMENT_LANGUAGES.map((language) => (
            <Textarea
              key={language}
              label={t('reminders.interestText', { language: common(`languages.${language}`) })}
              autosize
              minRows={1}
              {...form.getInputProps(`${path}.interestText.${language}`)}
            />
          ))}
        </FieldGrid>
        <Group>
          <Button size="xs" variant="default" onClick={() => form.removeListItem('levels', index)}>
            {t('reminders.removeLevel', { level: index + 1 })}
          </Button>
        </Group>
      </Stack>
    </Fieldset>
  );
}

function GeneralFields({ form, currency }: Omit<LevelProps, 'index'>) {
  const { t } = useTranslation('settings');
  return (
    <>
      <Switch
        label={t('reminders.automatic')}
        description={t('reminders.automaticHint')}
        {...form.getInputProps('automatic', { type: 'checkbox' })}
      />
      <FieldGrid cols={{ base: 1, sm: 2 }}>
        <NumberInput
          label={t('reminders.hour')}
          description={t('reminders.hourHint')}
          required
          min={0}
          max={23}
          allowDecimal={false}
          {...form.getInputProps('hour')}
        />
        <DecimalInput
          label={t('reminders.minimumOpenAmount', { currency })}
          description={t('reminders.minimumHint')}
          allowNegative={false}
          decimalScale={4}
          {...form.getInputProps('minimumOpenAmount')}
        />
      </FieldGrid>
    </>
  );
}

function ScheduleForm({ edited, isReadOnly }: { edited: Versioned<Schedule>; isReadOnly: boolean }) {
  const { t } = useTranslation('settings');
  const { t: common } = useTranslation('business');
  const currency = useCompany()?.baseCurrencyCode ?? '';
  const { form, onSubmit, isPending, failure, conflict } = useSettingsForm<Schedule, ScheduleValues>({
    operation: 'getReminderSchedule',
    edited,
    read: (options) => business.getReminderSchedule(options),
    toValues: readValues,
    submit: (values, options) => business.setReminderSchedule(toBody(values), options),
  });
  const { levels } = form.values;
  const addLevel = () => {
    const daysAfterDue = Number(levels.at(-1)?.daysAfterDue ?? 0) + 7;
    form.insertListItem('levels', { key: crypto.randomUUID(), daysAfterDue, fee: '', interestText: NO_TEXTS });
  };
  return (
    <form onSubmit={onSubmit}>
      <Fieldset variant="unstyled" disabled={isReadOnly}>
        <Stack>
          <GeneralFields form={form} currency={currency} />
          {levels.length === 0 && <Text size="sm">{t('reminders.noLevels')}</Text>}
          {levels.map(({ key }, index) => (
            <Level key={key} form={form} index={index} currency={currency} />
          ))}
          <ConflictNotice conflict={conflict} />
          <Failure error={failure} />
          {!isReadOnly && (
            <Group>
              <Button type="submit" loading={isPending}>
                {common('save')}
              </Button>
              <Button variant="default" disabled={levels.length >= MAX_LEVELS} onClick={addLevel}>
                {t('reminders.addLevel')}
              </Button>
            </Group>
          )}
        </Stack>
      </Fieldset>
    </form>
  );
}

/** When overdue invoices are reminded of, and what each reminder says about fees and interest. */
export default function ReminderSchedule() {
  const { t } = useTranslation('settings');
  const { business: permissions } = useSession();
  const { data, error } = useEditedRecord('getReminderSchedule', 'reminders', (_id, options) =>
    business.getReminderSchedule(options),
  );
  if (error !== null) return <Failure error={error} />;
  if (data === undefined) return <Skeleton h={320} />;
  return (
    <Stack maw={760}>
      <Text size="sm">{t('reminders.text')}</Text>
      <ScheduleForm key={data.etag} edited={data} isReadOnly={!permissions.has('config:update')} />
    </Stack>
  );
}
