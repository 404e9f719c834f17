import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import { DatesProvider } from '@mantine/dates';
import { ModalsProvider } from '@mantine/modals';
import { RouterProvider } from '@tanstack/react-router';
import 'dayjs/locale/de';
import { useTranslation } from 'react-i18next';
import { router } from '../router';

const MONDAY = 1;

/** What only signed-in users need: the frame with its pages, and styles of all components. */
export default function SignedIn() {
  const { i18n } = useTranslation('common');
  return (
    <DatesProvider settings={{ locale: i18n.language, firstDayOfWeek: MONDAY }}>
      <ModalsProvider>
        <RouterProvider router={router} />
      </ModalsProvider>
    </DatesProvider>
  );
}
