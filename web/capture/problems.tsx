import { Alert, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { CaptureStep } from './api';

const TEXTS = {
  document_not_accepted: 'document_not_accepted',
  wrong_side: 'wrong_side',
  two_documents: 'two_documents',
  image_blurred: 'image_blurred',
  image_glare: 'image_glare',
  image_dark: 'image_dark',
  image_too_small: 'image_too_small',
  document_cut_off: 'document_cut_off',
  portrait_not_found: 'portrait_not_found',
  no_face_in_ref_image: 'portrait_not_found',
  no_face: 'no_face',
  no_face_in_user_image: 'no_face',
  multiple_faces: 'multiple_faces',
  face_too_small: 'face_too_small',
  face_low_quality: 'face',
  liveness_low: 'face',
  poa_too_old: 'poa_too_old',
  poa_address_not_found: 'address',
  poa_poor_quality: 'address',
  processing_failed: 'failed',
} as const;

type ProblemCode = keyof typeof TEXTS;

const isKnown = (code: string): code is ProblemCode => Object.hasOwn(TEXTS, code);

/** What is said of problems that have no text of their own. */
const GENERAL = { document: 'document', liveness: 'face', selfie: 'face', address: 'address' } as const;

/** Why the last capture of a step has to be repeated, and how often it can be. */
export function Problems({ step }: { step: CaptureStep }) {
  const { t } = useTranslation('capture');
  if (step.status !== 'retry') return null;
  const texts = step.problems.map((code) => (isKnown(code) ? TEXTS[code] : GENERAL[step.task]));
  const keys = [...new Set(texts.length === 0 ? (['failed'] as const) : texts)];
  return (
    <Alert color="yellow" title={t('problems.heading')}>
      {keys.map((key) => (
        <Text key={key} size="sm">
          {t(`problems.${key}`)}
        </Text>
      ))}
      <Text size="sm" mt="xs">
        {t('attemptsLeft', { number: step.attemptsLeft })}
      </Text>
    </Alert>
  );
}
