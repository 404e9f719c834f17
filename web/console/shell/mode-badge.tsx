import { Badge, Tooltip } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSession } from '../session';

/** Whether the pages show live or test records; the mode is chosen when signing in. */
export function ModeBadge() {
  const { t } = useTranslation('common');
  const { mode } = useSession();
  const badge = (
    <Badge color={mode === 'live' ? 'green' : 'yellow'} variant={mode === 'live' ? 'light' : 'filled'} autoContrast>
      {t(mode === 'live' ? 'liveMode' : 'testMode')}
    </Badge>
  );
  return mode === 'live' ? badge : <Tooltip label={t('testModeHint')}>{badge}</Tooltip>;
}
