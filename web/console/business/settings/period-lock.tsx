import { Alert, Button, Group, Skeleton, Stack, Textarea, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { BusinessResponse, CallOptions } from '../../../../clients/typescript/src/calls';
import { business } from '../../../shared/api/business';
import type { Versioned } from '../../../shared/api/versions';
import { formatDate } from '../../../shared/format';
import { ConflictNotice } from '../../components/conflict-notice';
import { Failure } from '../../components/failure';
import { useEditedRecord } from '../../components/use-edited-record';
import { useSession } from '../../session';
import { useSettingsForm } from './use-settings-form';

type Lock = BusinessResponse<'getPeriodLock'>['data'];

const readLock = (options: CallOptions) => business.getPeriodLock(options);

function LockForm({ edited }: { edited: Versioned<Lock> }) {
  const { t } = useTranslation('settings');
  const { t: common } = useTranslation('business');
  const { form, onSubmit, isPending, failure, conflict } = useSettingsForm({
    operation: 'getPeriodLock',
    edited,
    read: readLock,
    toValues: ({ lockedThrough }: Lock) => ({ lockedThrough: lockedThrough ?? '', reason: '' }),
    submit: ({ lockedThrough: day, reason }, options) =>
      business.setPeriodLock({ lockedThrough: day || null, ...(reason === '' ? {} : { reason }) }, options),
  });
  return (
    <form onSubmit={onSubmit}>
      <Stack>
        <TextInput
          type="date"
          label={t('lockedThrough')}
          description={t('lockHint')}
          {...form.getInputProps('lockedThrough')}
        />
        <Textarea label={common('reason')} description={t('lockReason')} {...form.getInputProps('reason')} />
        <ConflictNotice conflict={conflict} />
        <Failure error={failure} />
        <Group>
          <Button type="submit" loading={isPending}>
            {common('save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The day up to which nothing can be posted. */
export default function PeriodLock() {
  const { t } = useTranslation('settings');
  const { business: permissions } = useSession();
  const { data, error } = useEditedRecord('getPeriodLock', 'lock', (_id, options) => readLock(options));
  if (error !== null) return <Failure error={error} />;
  if (data === undefined) return <Skeleton h={160} />;
  const { lockedThrough } = data.record;
  return (
    <Stack maw={560}>
      <Alert color="gray">
        {lockedThrough === null ? t('notLocked') : t('locked', { date: formatDate(lockedThrough) })}
      </Alert>
      {permissions.has('config:lock') && <LockForm key={data.etag} edited={data} />}
    </Stack>
  );
}
