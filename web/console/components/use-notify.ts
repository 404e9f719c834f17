import { notifications } from '@mantine/notifications';
import { useTranslation } from 'react-i18next';

/** Shows a short message that something was done. */
export function useNotify(): (message: string) => void {
  const { t } = useTranslation('common');
  return (message) => {
    notifications.show({ message, closeButtonProps: { 'aria-label': t('close') } });
  };
}
