import { Button, Group, MultiSelect, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { CallOptions } from '../../../../clients/typescript/src/calls';
import type { Versioned } from '../../../shared/api/versions';
import { ConflictNotice } from '../../components/conflict-notice';
import { Failure } from '../../components/failure';
import { useRecordForm } from '../../components/use-record-form';
import type { Webhook } from './badges';
import { eventsQuery } from './events';
import { useWebhookOperations } from './operations';
import type { Subscription, WebhookValues } from './operations';
import './texts';

interface WebhookFormProps<R> {
  /** Null for a new webhook. */
  edited: Versioned<Webhook> | null;
  submit: (values: WebhookValues, options: CallOptions) => Promise<R>;
  onDone: (result: R) => void;
  action: string;
}

/** The subscription to every event, including later ones. */
export const ALL_EVENTS = '*';

/** What a webhook is: an address and its events. The API checks both. */
export function WebhookForm<R>({ edited, submit, onDone, action }: WebhookFormProps<R>) {
  const { t } = useTranslation('webhooks');
  const { operations } = useWebhookOperations();
  const { data: events = [] } = useQuery(eventsQuery);
  const { form, onSubmit, isPending, failure, conflict } = useRecordForm({
    edited,
    read: (options) => operations.read(edited?.record.id ?? '', options),
    toValues: (webhook: Webhook | null) => ({
      url: webhook?.url ?? '',
      events: [...(webhook?.events ?? [])],
      description: webhook?.description ?? '',
    }),
    submit: ({ url, events: chosen, description }, options) => {
      // The catalogue offers exactly the events that the operation accepts.
      const values = { url, events: chosen as Subscription[], description: description === '' ? null : description };
      return submit(values, options);
    },
    onDone,
  });
  const data = [
    { value: ALL_EVENTS, label: t('allEvents') },
    ...events.map(({ type }) => ({ value: type, label: type })),
  ];
  return (
    <form onSubmit={onSubmit}>
      <Stack>
        <ConflictNotice conflict={conflict} />
        <Failure error={failure} />
        <TextInput
          label={t('url')}
          description={t('urlHint')}
          type="url"
          required
          placeholder="https://"
          {...form.getInputProps('url')}
        />
        <MultiSelect
          label={t('eventsLabel')}
          data={data}
          searchable
          withAsterisk
          clearable
          {...form.getInputProps('events')}
        />
        <TextInput label={t('description')} {...form.getInputProps('description')} />
        <Group justify="end">
          <Button type="submit" loading={isPending}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
