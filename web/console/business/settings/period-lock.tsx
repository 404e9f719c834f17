import { Alert, Button, Group, Skeleton, Stack, Textarea, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { business, businessQuery } from '../../../shared/api/business';
import { formatDate } from '../../../shared/format';
import { Failure } from '../../components/failure';
import { useApiForm } from '../../components/use-api-form';
import { useSession } from '../../session';

function LockForm({ lockedThrough }: { lockedThrough: string | null }) {
  const { t } = useTranslation('settings');
  const { t: common } = useTranslation('business');
  const queries = useQueryClient();
  const { form, onSubmit, isPending, failure } = useApiForm({
    initialValues: { lockedThrough: lockedThrough ?? '', reason: '' },
    submit: ({ lockedThrough: day, reason }) =>
      business.setPeriodLock({ lockedThrough: day || null, ...(reason === '' ? {} : { reason }) }),
    onDone: async () => {
      await queries.invalidateQueries({ queryKey: ['business', 'getPeriodLock'] });
      notifications.show({ color: 'green', message: common('saved') });
    },
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
  const { data, error } = useQuery(businessQuery('getPeriodLock', [], (options) => business.getPeriodLock(options)));
  if (error !== null) return <Failure error={error} />;
  if (data === undefined) return <Skeleton h={160} />;
  const { lockedThrough } = data.data;
  return (
    <Stack maw={560}>
      <Alert color="gray">
        {lockedThrough === null ? t('notLocked') : t('locked', { date: formatDate(lockedThrough) })}
      </Alert>
      {permissions.has('config:lock') && <LockForm key={lockedThrough ?? ''} lockedThrough={lockedThrough} />}
    </Stack>
  );
}
