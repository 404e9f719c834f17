import { Button, Group, MultiSelect, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Body } from '../../../../clients/typescript/src/calls';
import { Failure } from '../../components/failure';
import { useApiForm } from '../../components/use-api-form';
import { eventsQuery } from './events';
import './texts';

type Subscription = Body<'createWebhook'>['events'][number];

export interface WebhookValues {
  url: string;
  events: Subscription[];
  description: string | null;
}

interface WebhookFormProps<R> {
  initial?: { url: string; events: readonly string[]; description: string | null };
  submit: (values: WebhookValues) => Promise<R>;
  onDone: (result: R) => void;
  action: string;
}

/** The subscription to every event, including later ones. */
export const ALL_EVENTS = '*';

/** What a webhook is: an address and its events. The API checks both. */
export function WebhookForm<R>({ initial, submit, onDone, action }: WebhookFormProps<R>) {
  const { t } = useTranslation('webhooks');
  const { data: events = [] } = useQuery(eventsQuery);
  const { form, onSubmit, isPending, failure } = useApiForm({
    initialValues: {
      url: initial?.url ?? '',
      events: [...(initial?.events ?? [])],
      description: initial?.description ?? '',
    },
    submit: ({ url, events: chosen, description }) =>
      submit({
        url,
        // The catalogue offers exactly the events that the operation accepts.
        events: chosen as Subscription[],
        description: description === '' ? null : description,
      }),
    onDone,
  });
  const data = [
    { value: ALL_EVENTS, label: t('allEvents') },
    ...events.map(({ type }) => ({ value: type, label: type })),
  ];
  return (
    <form onSubmit={onSubmit}>
      <Stack>
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
