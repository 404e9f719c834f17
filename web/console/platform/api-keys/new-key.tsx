import { Button, Group, Modal, MultiSelect, Stack, TagsInput, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Failure } from '../../components/failure';
import { SecretOnce } from '../../components/secret-once';
import { usePageForm } from '../../components/use-page-form';
import './texts';

export interface KeyValues extends Record<string, unknown> {
  name: string;
  permissions: string[];
  allowedIps: string[];
  /** `YYYY-MM-DD`; empty if the key does not expire. */
  expiresAt: string;
}

interface NewKeyProps {
  /** What the user may permit. */
  permissions: readonly string[];
  /** Creates the key. @returns its secret */
  create: (values: KeyValues) => Promise<string | null>;
}

function KeyForm({ permissions, create, onCreated }: NewKeyProps & { onCreated: (secret: string | null) => void }) {
  const { t } = useTranslation(['api-keys', 'common']);
  const { form, onSubmit, isPending, failure } = usePageForm<KeyValues, string | null>({
    initialValues: { name: '', permissions: [], allowedIps: [], expiresAt: '' },
    submit: create,
    onDone: onCreated,
  });
  return (
    <form onSubmit={onSubmit}>
      <Stack>
        <Failure error={failure} />
        <TextInput label={t('name')} description={t('nameHint')} required {...form.getInputProps('name')} />
        <MultiSelect
          label={t('permissions')}
          description={t('permissionsHint')}
          data={[...permissions]}
          searchable
          withAsterisk
          {...form.getInputProps('permissions')}
        />
        <TagsInput
          label={t('addresses')}
          description={t('addressesHint')}
          placeholder="203.0.113.0/24"
          {...form.getInputProps('allowedIps')}
        />
        <TextInput
          type="date"
          label={t('expires')}
          description={t('expiresHint')}
          {...form.getInputProps('expiresAt')}
        />
        <Group justify="end">
          <Button type="submit" loading={isPending}>
            {t('common:create')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The button that creates a key, and its dialog, which then shows the secret once. */
export function NewKey(props: NewKeyProps) {
  const { t } = useTranslation(['api-keys', 'common']);
  const [opened, { open, close }] = useDisclosure();
  const [secret, setSecret] = useState<string | null>(null);
  const leave = (): void => {
    close();
    setSecret(null);
  };
  return (
    <>
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={open} style={{ alignSelf: 'start' }}>
        {t('newKey')}
      </Button>
      <Modal opened={opened} onClose={leave} title={t('newKey')} size="lg">
        {secret === null ? (
          <KeyForm {...props} onCreated={setSecret} />
        ) : (
          <SecretOnce hint={t('secretHint')} secret={secret} />
        )}
      </Modal>
    </>
  );
}
