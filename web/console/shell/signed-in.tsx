import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import { MantineThemeProvider } from '@mantine/core';
import { DatesProvider } from '@mantine/dates';
import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import { RouterProvider } from '@tanstack/react-router';
import 'dayjs/locale/de';
import { useTranslation } from 'react-i18next';
import { router } from '../router';

const MONDAY = 1;

/** Short messages that something was done; their button has a name for screen readers. */
function NamedNotifications() {
  const { t } = useTranslation('common');
  const defaultProps = { closeButtonProps: { 'aria-label': t('close') } };
  return (
    <MantineThemeProvider theme={{ components: { Notification: { defaultProps } } }}>
      <Notifications />
    </MantineThemeProvider>
  );
}

/** What only signed-in users need: the frame with its pages, and styles of all components. */
export default function SignedIn() {
  const { i18n } = useTranslation('common');
  return (
    <DatesProvider settings={{ locale: i18n.language, firstDayOfWeek: MONDAY }}>
      <ModalsProvider>
        <NamedNotifications />
        <RouterProvider router={router} />
      </ModalsProvider>
    </DatesProvider>
  );
}
