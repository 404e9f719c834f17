import { ActionIcon, Menu, Text } from '@mantine/core';
import { IconLanguage, IconLogout, IconUserCircle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { notifyFailure } from '../components/notify-failure';
import { setLanguage } from '../language';
import { useSession, useSignOut } from '../session';
import { LANGUAGES } from '../texts';
import type { Language } from '../texts';

const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch' };

/** The signed-in user, the language, and the end of the session. */
export function UserMenu() {
  const { t, i18n } = useTranslation('common');
  const { user, organisation } = useSession();
  const signOut = useSignOut();
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={user.name}>
          <IconUserCircle aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={600}>
            {user.name}
          </Text>
          <Text size="xs">{user.email}</Text>
          <Text size="xs">{organisation.name}</Text>
        </Menu.Label>
        <Menu.Divider />
        {LANGUAGES.map((language) => (
          <Menu.Item
            key={language}
            leftSection={<IconLanguage size={16} aria-hidden />}
            disabled={i18n.language === language}
            lang={language}
            onClick={() => void setLanguage(language)}
          >
            {LANGUAGE_NAMES[language]}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconLogout size={16} aria-hidden />}
          onClick={() => void signOut().catch(notifyFailure)}
        >
          {t('signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
