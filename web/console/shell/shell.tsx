import { AppShell, Box, Burger, Center, Group, Loader, ScrollArea, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Outlet, useRouterState } from '@tanstack/react-router';
import { Suspense, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { SignInPage } from '../platform/access/sign-in-page';
import { SessionProvider, useSession, useSessionQuery } from '../session';
import { ModeBadge } from './mode-badge';
import { Navigation } from './navigation';
import { PageFailure } from './page-failure';
import { RestrictedFrame } from './restricted-frame';
import { UserMenu } from './user-menu';

function Loading() {
  const { t } = useTranslation('common');
  return (
    <Center mih="40vh" role="status" aria-label={t('loading')}>
      <Loader />
    </Center>
  );
}

/** The frame of every page: who is signed in, the mode, and the navigation of the user's roles. */
function Frame() {
  const { t } = useTranslation('common');
  const { organisation } = useSession();
  const [opened, { toggle, close }] = useDisclosure();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  useEffect(close, [path, close]);
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 250, breakpoint: 'md', collapsed: { mobile: !opened } }}
      padding="md"
    >
      <a className="skip-link" href="#content">
        {t('skipToContent')}
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap" miw={0}>
            <Burger opened={opened} onClick={toggle} hiddenFrom="md" size="sm" aria-label={t('menu')} />
            <Text fw={700}>Vouch</Text>
            <Text truncate c="dimmed" visibleFrom="xs">
              {organisation.name}
            </Text>
          </Group>
          <Group gap="sm" wrap="nowrap">
            <ModeBadge />
            <UserMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label={t('menu')}>
        <ScrollArea>
          <Navigation />
        </ScrollArea>
      </AppShell.Navbar>
      <AppShell.Main>
        <Box id="content" tabIndex={-1} style={{ outline: 'none' }}>
          <Suspense fallback={<Loading />}>
            <Outlet />
          </Suspense>
        </Box>
      </AppShell.Main>
    </AppShell>
  );
}

/** The signed-in frame, or the sign-in page at the same address, so that links work once the user has signed in. */
export function Shell() {
  const { data: session, error, isPending, refetch } = useSessionQuery();
  if (isPending) return <Loading />;
  if (error !== null) return <PageFailure error={error} reset={() => void refetch()} />;
  if (session === null || session === undefined) {
    return (
      <Suspense fallback={<Loading />}>
        <SignInPage />
      </Suspense>
    );
  }
  return (
    <SessionProvider value={session}>
      {session.restriction === null ? <Frame /> : <RestrictedFrame restriction={session.restriction} />}
    </SessionProvider>
  );
}
