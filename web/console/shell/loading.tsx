import { Center, Loader } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** Shown while a page or the frame is loading. */
export function Loading() {
  const { t } = useTranslation('common');
  return (
    <Center mih="40vh" role="status" aria-label={t('loading')} aria-busy>
      <Loader aria-hidden />
    </Center>
  );
}
