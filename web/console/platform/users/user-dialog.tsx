import { Button, Group, Modal, Skeleton, Stack, Switch, TextInput, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { CallOptions } from '../../../../clients/typescript/src/calls';
import { business, businessQuery } from '../../../shared/api/business';
import type { Versioned } from '../../../shared/api/versions';
import { ConflictNotice } from '../../components/conflict-notice';
import { Failure } from '../../components/failure';
import { SecretOnce } from '../../components/secret-once';
import { SignInSessions } from '../../components/sign-in-sessions';
import { useConfirm } from '../../components/use-confirm';
import { useEditedRecord } from '../../components/use-edited-record';
import { useRecordForm } from '../../components/use-record-form';
import { announceSessionChange, useAdoptSession, useSession } from '../../session';
import { RoleFields } from './role-fields';
import type { User } from './roles';
import './texts';

interface UserDialogProps {
  user: User;
  close: () => void;
}

const readUser = (id: string, options: CallOptions) => business.getUser(id, options);

function RoleForm({ edited, close }: { edited: Versioned<User>; close: () => void }) {
  const { t } = useTranslation(['users', 'common']);
  const queries = useQueryClient();
  const { user } = useSession();
  const adopt = useAdoptSession();
  const id = String(edited.record.id);
  const { form, onSubmit, isPending, failure, conflict } = useRecordForm({
    edited,
    read: (options) => readUser(id, options),
    toValues: (user: User | null) => {
      const { name, role, identityRole, active } = user ?? edited.record;
      return { name, role, identityRole, active };
    },
    submit: (values, options) => business.updateUser(id, values, options),
    onDone: async () => {
      close();
      if (user.id !== edited.record.actor) return queries.invalidateQueries({ queryKey: ['business', 'listUsers'] });
      // Users who change themselves see their new name, and the pages of their new roles, in every window.
      announceSessionChange();
      return adopt();
    },
  });
  return (
    <form onSubmit={onSubmit}>
      <Stack>
        <ConflictNotice conflict={conflict} />
        <Failure error={failure} />
        <TextInput label={t('name')} required {...form.getInputProps('name')} />
        <RoleFields identity={form.getInputProps('identityRole')} business={form.getInputProps('role')} />
        <Switch
          label={t('active')}
          description={t('activeHint')}
          {...form.getInputProps('active', { type: 'checkbox' })}
        />
        <Group justify="end">
          <Button type="submit" loading={isPending}>
            {t('common:save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Roles({ user, close }: UserDialogProps) {
  const { data, error } = useEditedRecord('getUser', String(user.id), readUser);
  if (error !== null) return <Failure error={error} />;
  return data === undefined ? <Skeleton h={240} /> : <RoleForm edited={data} close={close} />;
}

function Access({ user }: { user: User }) {
  const { t } = useTranslation('users');
  const confirm = useConfirm();
  const id = String(user.id);
  const reset = useMutation({ mutationFn: () => business.resetUserPassword(id, {}) });
  const removal = useMutation({ mutationFn: () => business.removeUserSecondFactor(id) });
  const password = reset.data?.data.password ?? null;
  const ask = (title: string, text: string, onConfirm: () => void): void =>
    confirm({ title, text, action: title, onConfirm });
  return (
    <Stack gap="sm">
      <Failure error={reset.error ?? removal.error} />
      <Group gap="xs">
        <Button
          variant="default"
          loading={reset.isPending}
          onClick={() => ask(t('resetPassword'), t('resetPasswordText'), () => reset.mutate())}
        >
          {t('resetPassword')}
        </Button>
        <Button
          variant="default"
          loading={removal.isPending}
          onClick={() => ask(t('removeSecondFactor'), t('removeSecondFactorText'), () => removal.mutate())}
        >
          {t('removeSecondFactor')}
        </Button>
      </Group>
      {password !== null && <SecretOnce hint={t('passwordHint')} secret={password} />}
    </Stack>
  );
}

function Sessions({ user, mayEnd }: { user: User; mayEnd: boolean }) {
  const { t } = useTranslation('users');
  const queries = useQueryClient();
  const id = String(user.id);
  const { data, error } = useQuery(
    businessQuery('listUserSessions', [id], (options) => business.listUserSessions(id, options)),
  );
  const ending = useMutation({
    mutationFn: (sessionId: string) => business.endUserSession(id, sessionId),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['business', 'listUserSessions', id] }),
  });
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">
        {t('sessions')}
      </Title>
      <Failure error={error ?? ending.error} />
      {data !== undefined && (
        <SignInSessions sessions={data.data} end={mayEnd ? (sessionId) => ending.mutate(sessionId) : undefined} />
      )}
    </Stack>
  );
}

/** A user: roles, password, second factor and where they are signed in. */
export function UserDialog({ user, close }: UserDialogProps) {
  const { business: permissions, user: self } = useSession();
  const mayUpdate = permissions.has('admin:update');
  return (
    <Modal opened onClose={close} title={user.email} size="xl">
      <Stack gap="xl">
        {mayUpdate && <Roles user={user} close={close} />}
        {/* The own password and second factor are changed with a proof, on the page of the own account. */}
        {mayUpdate && user.actor !== self.id && <Access user={user} />}
        <Sessions user={user} mayEnd={mayUpdate} />
      </Stack>
    </Modal>
  );
}
