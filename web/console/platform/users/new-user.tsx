import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { business } from '../../../shared/api/business';
import { Failure } from '../../components/failure';
import { SecretOnce } from '../../components/secret-once';
import { usePageForm } from '../../components/use-page-form';
import { RoleFields } from './role-fields';
import type { BusinessRole, IdentityRole } from './roles';
import './texts';

function UserForm({ onCreated }: { onCreated: (password: string | null) => void }) {
  const { t } = useTranslation(['users', 'common']);
  const { form, onSubmit, isPending, failure } = usePageForm({
    initialValues: {
      email: '',
      name: '',
      role: null as BusinessRole | null,
      identityRole: null as IdentityRole | null,
    },
    submit: (values) => business.createUser(values),
    onDone: ({ data }) => onCreated(data.password),
  });
  return (
    <form onSubmit={onSubmit}>
      <Stack>
        <Failure error={failure} />
        <TextInput label={t('name')} required {...form.getInputProps('name')} />
        <TextInput label={t('email')} type="email" required {...form.getInputProps('email')} />
        <RoleFields identity={form.getInputProps('identityRole')} business={form.getInputProps('role')} />
        <Group justify="end">
          <Button type="submit" loading={isPending}>
            {t('common:create')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The button that creates a user, and its dialog, which then shows the temporary password once. */
export function NewUser() {
  const { t } = useTranslation(['users', 'common']);
  const queries = useQueryClient();
  const [opened, { open, close }] = useDisclosure();
  const [password, setPassword] = useState<string | null>(null);
  const leave = (): void => {
    close();
    setPassword(null);
    void queries.invalidateQueries({ queryKey: ['business', 'listUsers'] });
  };
  return (
    <>
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={open}>
        {t('newUser')}
      </Button>
      <Modal opened={opened} onClose={leave} title={t('newUser')}>
        {password === null ? (
          <UserForm onCreated={setPassword} />
        ) : (
          <SecretOnce hint={t('passwordHint')} secret={password} />
        )}
      </Modal>
    </>
  );
}
