import { Button, Card, Group, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { identity } from '../../../shared/api/identity';
import { Failure } from '../../components/failure';
import { useApiForm } from '../../components/use-api-form';
import { useNotify } from '../../components/use-notify';
import './texts';

/**
 * Changes the password of the signed-in user.
 *
 * @param onDone called after the change
 */
export function PasswordCard({ onDone }: { onDone?: () => Promise<void> }) {
  const { t } = useTranslation(['profile', 'common']);
  const queries = useQueryClient();
  const notify = useNotify();
  const { form, onSubmit, isPending, failure } = useApiForm({
    initialValues: { currentPassword: '', newPassword: '' },
    submit: (values) => identity.changeConsolePassword(values),
    onDone: async () => {
      form.reset();
      notify(t('passwordChanged'));
      await queries.invalidateQueries({ queryKey: ['identity', 'listSignInSessions'] });
      await onDone?.();
    },
  });
  return (
    <Card withBorder>
      <form onSubmit={onSubmit}>
        <Stack gap="sm" maw={420}>
          <Title order={2} size="h4">
            {t('password')}
          </Title>
          <Text size="sm">{t('passwordHint')}</Text>
          <Failure error={failure} />
          <PasswordInput
            label={t('currentPassword')}
            autoComplete="current-password"
            required
            {...form.getInputProps('currentPassword')}
          />
          <PasswordInput
            label={t('newPassword')}
            autoComplete="new-password"
            required
            {...form.getInputProps('newPassword')}
          />
          <Group justify="end">
            <Button type="submit" loading={isPending}>
              {t('common:save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  );
}
