import { Card, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { identity, identityQuery } from '../../../shared/api/identity';
import { Failure } from '../../components/failure';
import { Page } from '../../components/page';
import { SignInSessions } from '../../components/sign-in-sessions';
import { useSession } from '../../session';
import { PasswordCard } from './password-card';
import { SecondFactorCard } from './second-factor-card';
import './texts';

function OwnSessions() {
  const { t } = useTranslation('profile');
  const queries = useQueryClient();
  const { data, error } = useQuery(
    identityQuery('listSignInSessions', [], (options) => identity.listSignInSessions(options)),
  );
  const ending = useMutation({
    mutationFn: (id: string) => identity.endSignInSession(id),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['identity', 'listSignInSessions'] }),
  });
  return (
    <Card withBorder>
      <Stack gap="sm">
        <Title order={2} size="h4">
          {t('sessions')}
        </Title>
        <Failure error={error ?? ending.error} />
        {data !== undefined && <SignInSessions sessions={data.sessions} end={(id) => ending.mutate(id)} />}
      </Stack>
    </Card>
  );
}

/** The account of the signed-in user. */
export default function ProfilePage() {
  const { t } = useTranslation('profile');
  const { user, organisation } = useSession();
  return (
    <Page title={t('title')}>
      <Text>{t('signedInAs', { name: user.name, email: user.email, organisation: organisation.name })}</Text>
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <PasswordCard />
        <SecondFactorCard />
      </SimpleGrid>
      <OwnSessions />
    </Page>
  );
}
