import { MantineThemeProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { useTranslation } from 'react-i18next';

/**
 * Short messages that something was done. They have a place of their own above the page, under the header, so that they
 * cover nothing that can be operated; the button that closes them has a name for screen readers.
 */
export function Notices() {
  const { t } = useTranslation('common');
  const defaultProps = { closeButtonProps: { 'aria-label': t('close') } };
  return (
    <MantineThemeProvider theme={{ components: { Notification: { defaultProps } } }}>
      <Notifications className="notices" withinPortal={false} position="top-center" />
    </MantineThemeProvider>
  );
}
