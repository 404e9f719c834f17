import { Badge, Menu, UnstyledButton } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { notifyFailure } from '../components/notify-failure';
import { useSession, useSwitchMode } from '../session';

/** Whether the pages show live or test records, and the way to the other mode. */
export function ModeBadge() {
  const { t } = useTranslation('common');
  const { mode } = useSession();
  const switchMode = useSwitchMode();
  const isLive = mode === 'live';
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <UnstyledButton aria-label={t('modeMenu', { mode: t(isLive ? 'liveMode' : 'testMode') })}>
          <Badge
            color={isLive ? 'green' : 'yellow'}
            variant={isLive ? 'light' : 'filled'}
            autoContrast
            rightSection={<IconChevronDown size={12} aria-hidden />}
          >
            {t(isLive ? 'liveMode' : 'testMode')}
          </Badge>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label maw={240}>{t('testModeHint')}</Menu.Label>
        <Menu.Item onClick={() => void switchMode(isLive ? 'test' : 'live').catch(notifyFailure)}>
          {t(isLive ? 'showTest' : 'showLive')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
