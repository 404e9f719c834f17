import { Alert, Button, Loader, Stack, Text, Title } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { toFailure } from './failure';

interface ScreenProps {
  heading: string;
  children: ReactNode;
}

/** One screen of the page. Its heading gets the focus, so that screen readers read it and the keyboard continues there. */
export function Screen({ heading, children }: ScreenProps) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    title.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [heading]);
  return (
    <Stack gap="md">
      <Title order={1} size="h2" ref={title} tabIndex={-1} style={{ outline: 'none' }}>
        {heading}
      </Title>
      {children}
    </Stack>
  );
}

/** A paragraph of a screen, below its heading. */
export const Paragraph = ({ children }: { children: ReactNode }) => <Text>{children}</Text>;

/** Shown while something is loading. */
export const Busy = ({ label }: { label: string }) => (
  <div role="status" aria-label={label}>
    <Loader aria-hidden="true" />
  </div>
);

const KNOWN_ERRORS = [
  'noLink',
  'link_used',
  'link_expired',
  'link_unknown',
  'session_erased',
  'unauthorized',
  'rate_limit_exceeded',
  'connection',
  'attempts_exhausted',
  'step_captured',
  'challenge_expired',
  'challenges_exhausted',
  'interrupted',
  'file_too_large',
  'unsupported_media_type',
  'file_damaged',
  'unavailable',
] as const;

type KnownError = (typeof KNOWN_ERRORS)[number];

const isKnown = (code: string): code is KnownError => KNOWN_ERRORS.some((known) => known === code);

/** Codes of the service that mean the same to the person as another one. */
const SAME_AS: Readonly<Record<string, KnownError>> = {
  challenge_used: 'challenge_expired',
  image_animated: 'unsupported_media_type',
  image_contains_other_data: 'unsupported_media_type',
  image_too_large: 'file_too_large',
  empty_file: 'file_damaged',
  file_truncated: 'file_damaged',
  image_truncated: 'file_damaged',
  overloaded: 'unavailable',
};

/** A failure in plain words, with what the person can do about it. */
export function useFailureText(): (error: unknown) => string {
  const { t } = useTranslation('capture');
  return (error) => {
    const { code, requestId } = toFailure(error);
    const known = SAME_AS[code] ?? code;
    if (isKnown(known)) return t(`errors.${known}`, { alternative: t('liveness.alternative') });
    return requestId === null ? t('errors.unexpectedHere') : t('errors.unexpected', { requestId });
  };
}

interface FailureAlertProps {
  error: unknown;
  onRetry?: (() => void) | undefined;
}

/** A failure within a screen. */
export function FailureAlert({ error, onRetry }: FailureAlertProps) {
  const { t } = useTranslation('capture');
  const describe = useFailureText();
  return (
    <Alert color="red" role="alert" title={t('errors.heading')}>
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{describe(error)}</Text>
        {onRetry !== undefined && (
          <Button variant="default" onClick={onRetry}>
            {t('tryAgain')}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}
