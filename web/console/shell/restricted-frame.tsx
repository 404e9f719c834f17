import { Alert, AppShell, Box, Group, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Page } from '../components/page';
import type { SignedIn } from '../session';
import { Notices } from './notices';
import { UserMenu } from './user-menu';

const PasswordCard = lazy(async () => ({ default: (await import('../platform/profile/password-card')).PasswordCard }));
const SecondFactorCard = lazy(async () => ({
  default: (await import('../platform/profile/second-factor-card')).SecondFactorCard,
}));

/** The frame of an account that has to be completed: the API rejects everything else until then. */
export function RestrictedFrame({ restriction }: { restriction: NonNullable<SignedIn['restriction']> }) {
  const { t } = useTranslation('common');
  const queries = useQueryClient();
  // Reads the account again, which shows the page at the address that was opened.
  const proceed = () => queries.invalidateQueries({ queryKey: ['identity', 'getCredential'] });
  return (
    <AppShell header={{ height: 56 }} padding="md">
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Text fw={700}>Vouch</Text>
          <UserMenu />
        </Group>
      </AppShell.Header>
      <AppShell.Main>
        <Notices />
        <Box maw={560} mx="auto">
          <Page title={t(`restrictions.${restriction}.title`)}>
            <Stack>
              <Alert color="yellow">{t(`restrictions.${restriction}.text`)}</Alert>
              <Suspense>
                {restriction === 'password_change_required' ? (
                  <PasswordCard onDone={proceed} />
                ) : (
                  <SecondFactorCard onDone={proceed} />
                )}
              </Suspense>
            </Stack>
          </Page>
        </Box>
      </AppShell.Main>
    </AppShell>
  );
}
