import { AppShell, Box, Burger, Group, ScrollArea, Text } from '@mantine/core';
import { useDisclosure, useReducedMotion } from '@mantine/hooks';
import { Outlet, useRouterState } from '@tanstack/react-router';
import { Suspense, useEffect, useRef } from 'react';
import type { RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../session';
import { Loading } from './loading';
import { ModeBadge } from './mode-badge';
import { Navigation } from './navigation';
import { Notices } from './notices';
import { RestrictedFrame } from './restricted-frame';
import { useKeptFocus } from './use-kept-focus';
import { UserMenu } from './user-menu';

/**
 * The content of the page, in which the keyboard continues after another page was opened, or what had the focus was removed.
 *
 * @param onOtherPage called when another page is shown
 */
function useContentFocus(onOtherPage: () => void): RefObject<HTMLDivElement | null> {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const content = useRef<HTMLDivElement>(null);
  useKeptFocus(content);
  const shownPath = useRef(path);
  useEffect(() => {
    if (shownPath.current === path) return;
    shownPath.current = path;
    onOtherPage();
    // Not at the link that led there.
    content.current?.focus({ preventScroll: true });
  }, [path, onOtherPage]);
  return content;
}

/** The frame of every page: who is signed in, the mode, and the navigation of the user's roles. */
function FullFrame() {
  const { t } = useTranslation('common');
  const { organisation } = useSession();
  const [opened, { toggle, close }] = useDisclosure();
  const isStill = useReducedMotion(undefined, { getInitialValueInEffect: false });
  const content = useContentFocus(close);
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 250, breakpoint: 'md', collapsed: { mobile: !opened } }}
      padding="md"
      {...(isStill ? { transitionDuration: 0 } : {})}
    >
      <a className="skip-link" href="#content">
        {t('skipToContent')}
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap" miw={0}>
            <Burger
              opened={opened}
              onClick={toggle}
              hiddenFrom="md"
              size="sm"
              aria-label={t('menu')}
              aria-expanded={opened}
            />
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
      <AppShell.Navbar p="xs" aria-label={t('menu')} className="navigation" data-opened={opened || undefined}>
        <ScrollArea>
          <Navigation />
        </ScrollArea>
      </AppShell.Navbar>
      <AppShell.Main>
        <Notices />
        <Box id="content" ref={content} tabIndex={-1} style={{ outline: 'none' }}>
          <Suspense fallback={<Loading />}>
            <Outlet />
          </Suspense>
        </Box>
      </AppShell.Main>
    </AppShell>
  );
}

/** The frame, or that of an account that has to be completed. */
export function Frame() {
  const { restriction } = useSession();
  return restriction === null ? <FullFrame /> : <RestrictedFrame restriction={restriction} />;
}
