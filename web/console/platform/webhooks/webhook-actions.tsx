import { Button, Group, Modal, Skeleton, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Failure } from '../../components/failure';
import { SecretOnce } from '../../components/secret-once';
import { usePageForm } from '../../components/use-page-form';
import { useConfirm } from '../../components/use-confirm';
import { useEditedRecord } from '../../components/use-edited-record';
import { useNotify } from '../../components/use-notify';
import type { Webhook } from './badges';
import { useWebhookOperations } from './operations';
import './texts';
import { WebhookForm } from './webhook-form';

/** Reads everything about webhooks again. */
function useReload(): () => Promise<void> {
  const queries = useQueryClient();
  return async () => {
    const names = ['listWebhooks', 'getWebhook', 'listWebhookDeliveries'];
    await Promise.all(names.map((name) => queries.invalidateQueries({ queryKey: ['identity', name] })));
  };
}

/** How long the previous secret stays valid next to the new one. */
const OVERLAP_SECONDS = 86_400;

function RotateSecret({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation(['webhooks', 'common']);
  const confirm = useConfirm();
  const { operations } = useWebhookOperations();
  const [secret, setSecret] = useState<string | null>(null);
  const rotation = useMutation({
    mutationFn: () => operations.rotate(webhook.id, OVERLAP_SECONDS),
    onSuccess: (rotated) => setSecret(rotated.secret),
  });
  const ask = (): void =>
    confirm({
      title: t('rotate'),
      text: t('rotateText'),
      action: t('rotate'),
      onConfirm: () => rotation.mutate(),
    });
  return (
    <>
      <Button variant="default" onClick={ask} loading={rotation.isPending}>
        {t('rotate')}
      </Button>
      <Failure error={rotation.error} />
      <Modal opened={secret !== null} onClose={() => setSecret(null)} title={t('rotate')}>
        {secret !== null && <SecretOnce hint={t('secretHint')} secret={secret} />}
      </Modal>
    </>
  );
}

function RecoverForm({ webhook, onDone }: { webhook: Webhook; onDone: () => void }) {
  const { t } = useTranslation('webhooks');
  const { operations } = useWebhookOperations();
  const reload = useReload();
  const notify = useNotify();
  const { form, onSubmit, isPending, failure } = usePageForm({
    initialValues: { since: '' },
    submit: ({ since }) => operations.recover(webhook.id, new Date(since).toISOString()),
    onDone: async () => {
      notify(t('recoverStarted'));
      onDone();
      await reload();
    },
  });
  return (
    <form onSubmit={onSubmit}>
      <Stack>
        <Failure error={failure} />
        <TextInput
          type="datetime-local"
          label={t('recoverSince')}
          description={t('recoverHint')}
          required
          {...form.getInputProps('since')}
        />
        <Group justify="end">
          <Button type="submit" loading={isPending}>
            {t('recover')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function EditForm({ id, onDone }: { id: string; onDone: () => void }) {
  const { t } = useTranslation('common');
  const { operations } = useWebhookOperations();
  const { data, error } = useEditedRecord('getWebhook', id, operations.read);
  if (error !== null) return <Failure error={error} />;
  if (data === undefined) return <Skeleton h={240} />;
  return (
    <WebhookForm
      edited={data}
      submit={(values, options) => operations.update(id, values, options)}
      onDone={onDone}
      action={t('save')}
    />
  );
}

function EditAndRecover({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation(['webhooks', 'common']);
  const reload = useReload();
  const [recovers, recovery] = useDisclosure();
  const [edits, editing] = useDisclosure();
  return (
    <>
      <Button variant="default" onClick={recovery.open}>
        {t('recover')}
      </Button>
      <Button variant="default" onClick={editing.open}>
        {t('common:edit')}
      </Button>
      <Modal opened={recovers} onClose={recovery.close} title={t('recover')}>
        <RecoverForm webhook={webhook} onDone={recovery.close} />
      </Modal>
      <Modal opened={edits} onClose={editing.close} title={t('common:edit')} size="lg">
        <EditForm
          id={webhook.id}
          onDone={() => {
            editing.close();
            void reload();
          }}
        />
      </Modal>
    </>
  );
}

/** What can be done with a webhook: test, recover, edit, rotate its secret, delete. */
export function WebhookActions({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation(['webhooks', 'common']);
  const { operations } = useWebhookOperations();
  const reload = useReload();
  const navigate = useNavigate();
  const notify = useNotify();
  const confirm = useConfirm();
  const test = useMutation({
    mutationFn: () => operations.test(webhook.id),
    onSuccess: async () => {
      notify(t('testSent'));
      await reload();
    },
  });
  const removal = useMutation({
    mutationFn: () => operations.remove(webhook.id),
    onSuccess: async () => {
      await navigate({ to: '/webhooks' });
      await reload();
    },
  });
  const askToDelete = (): void =>
    confirm({
      title: t('deleteTitle'),
      text: t('deleteText'),
      action: t('common:delete'),
      onConfirm: () => removal.mutate(),
    });
  return (
    <Group gap="xs">
      <Button onClick={() => test.mutate()} loading={test.isPending} disabled={webhook.status === 'disabled'}>
        {t('test')}
      </Button>
      <EditAndRecover webhook={webhook} />
      <RotateSecret webhook={webhook} />
      <Button variant="default" onClick={askToDelete} loading={removal.isPending}>
        {t('common:delete')}
      </Button>
      <Failure error={test.error ?? removal.error} />
    </Group>
  );
}
