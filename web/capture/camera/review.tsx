import { Button, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Screen } from '../screen';
import type { Subject } from './camera-view';

interface ReviewProps {
  picture: Blob;
  subject: Subject;
  onUse: () => void;
  onRepeat: () => void;
}

/** Shows a picture before it is used. Its URL is released with the screen, so that nothing of it remains. */
export function Review({ picture, subject, onUse, onRepeat }: ReviewProps) {
  const { t } = useTranslation('capture');
  const [url, setUrl] = useState('');
  // Some browsers cannot show every picture that the service reads, such as HEIC.
  const [isUnreadable, setUnreadable] = useState(false);
  const isPicture = picture.type.startsWith('image/') && !isUnreadable;
  const name = picture instanceof File ? picture.name : '';
  useEffect(() => {
    const created = URL.createObjectURL(picture);
    setUrl(created);
    return () => URL.revokeObjectURL(created);
  }, [picture]);

  return (
    <Screen heading={t(subject === 'face' ? 'review.headingFace' : 'review.heading')}>
      {isPicture ? (
        url !== '' && (
          <img
            src={url}
            alt={t('review.alt')}
            onError={() => setUnreadable(true)}
            style={{ width: '100%', maxHeight: '60vh', objectFit: 'contain', borderRadius: 12 }}
          />
        )
      ) : (
        <Text>{t(isUnreadable ? 'review.notShown' : 'review.pdf', { name })}</Text>
      )}
      <Stack gap="sm">
        <Button size="md" onClick={onUse}>
          {t(isPicture ? 'review.use' : 'review.useFile')}
        </Button>
        <Button size="md" variant="default" onClick={onRepeat}>
          {t('review.repeat')}
        </Button>
      </Stack>
    </Screen>
  );
}
