import { Button, Fieldset, Group, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { business, businessQuery } from '../../../shared/api/business';
import { Failure } from '../../components/failure';
import { useApiForm } from '../../components/use-api-form';
import { useRefreshInterval } from '../../components/use-refresh-interval';
import { useSession } from '../../session';
import { isPending as isMessagePending, MessageStatus } from '../messages/message-status';
import type { Message } from '../messages/message-status';

/** Time between two requests for the status of the test message. */
const POLL_MS = 2000;

function TestResult({ message }: { message: Message }) {
  const { business: permissions } = useSession();
  const interval = useRefreshInterval(POLL_MS);
  const { data } = useQuery({
    ...businessQuery('getMessage', [message.id], (options) => business.getMessage(message.id, options)),
    enabled: permissions.has('messages:read'),
    refetchInterval: ({ state }) => (state.data !== undefined && !isMessagePending(state.data.data) ? false : interval),
  });
  return (
    <div role="status">
      <MessageStatus message={data?.data ?? message} />
    </div>
  );
}

/** Sends a message without a document, and shows whether the mail server accepts it. */
export function EmailTest() {
  const { t } = useTranslation('settings');
  const { user } = useSession();
  const [sent, setSent] = useState<Message | null>(null);
  const { form, onSubmit, isPending, failure } = useApiForm({
    initialValues: { to: user.email },
    submit: (values) => business.sendTestMessage(values),
    onDone: ({ data }) => setSent(data),
  });
  return (
    <form onSubmit={onSubmit}>
      <Fieldset legend={t('email.test')}>
        <Stack gap="sm">
          <Text size="sm">{t('email.testText')}</Text>
          <Group align="end">
            <TextInput flex={1} miw={220} type="email" label={t('email.to')} required {...form.getInputProps('to')} />
            <Button type="submit" variant="default" loading={isPending}>
              {t('email.sendTest')}
            </Button>
          </Group>
          <Failure error={failure} />
          {sent !== null && <TestResult key={sent.id} message={sent} />}
        </Stack>
      </Fieldset>
    </form>
  );
}
