import { Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useTranslation } from 'react-i18next';

interface Confirmation {
  title: string;
  /** What will happen, and whether it can be undone. */
  text: string;
  /** Name of the action on its button. */
  action: string;
  onConfirm: () => void;
}

/** Asks before something that cannot be undone. */
export function useConfirm(): (confirmation: Confirmation) => void {
  const { t } = useTranslation('common');
  return ({ title, text, action, onConfirm }) =>
    modals.openConfirmModal({
      title,
      children: <Text size="sm">{text}</Text>,
      labels: { confirm: action, cancel: t('cancel') },
      confirmProps: { color: 'red' },
      onConfirm,
    });
}
