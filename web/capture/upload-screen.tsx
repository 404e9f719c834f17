import { Alert, Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { VouchError } from '../../clients/typescript/src/errors';
import type { CallOptions } from '../../clients/typescript/src/calls';
import type { VouchClient } from '../../clients/typescript/src/client';
import { formatPercent } from '../shared/format';
import { createUploadClient } from './api';
import type { CaptureState } from './api';
import { Screen, useFailureText } from './screen';
import { toFailure } from './failure';
import type { Failure } from './failure';

/** Sends what was captured, by the client that reports progress. */
export type Send = (client: VouchClient, options: CallOptions) => Promise<{ state: CaptureState }>;

/** Whether the same capture would be rejected again. */
const isFinal = (error: unknown): boolean =>
  error instanceof VouchError && error.status >= 400 && error.status < 500 && error.status !== 429;

interface UploadScreenProps {
  send: Send;
  onState: (state: CaptureState) => void;
  /** Returns to what was captured, while it is sent. */
  onCancel: () => void;
  /** Captures it again, after it could not be sent. */
  onDiscard: () => void;
}

/**
 * Sends what was captured, with progress. Every repeat has the same Idempotency-Key, so that a capture whose response
 * was lost counts once; after a lost connection it is sent again as soon as the browser is online.
 */
function useUpload(send: Send, onState: (state: CaptureState) => void) {
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const [share, setShare] = useState(0);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [isRejected, setRejected] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const sendAgain = (): void => setAttempt((before) => before + 1);

  const sendNow = useEffectEvent((signal: AbortSignal) => {
    send(createUploadClient(setShare), { idempotencyKey, signal }).then(
      ({ state }) => signal.aborted || onState(state),
      (error: unknown) => {
        if (signal.aborted) return;
        setFailure(toFailure(error));
        setRejected(isFinal(error));
      },
    );
  });
  useEffect(() => {
    const ended = new AbortController();
    setFailure(null);
    setShare(0);
    sendNow(ended.signal);
    return () => ended.abort();
  }, [attempt]);

  const isLost = failure?.code === 'connection';
  useEffect(() => {
    if (!isLost) return undefined;
    const sendWhenOnline = (): void => setAttempt((before) => before + 1);
    window.addEventListener('online', sendWhenOnline);
    return () => window.removeEventListener('online', sendWhenOnline);
  }, [isLost]);

  return { share, failure, isRejected, isLost, sendAgain };
}

/** Shows the progress of what is sent, or why it was not sent. */
export function UploadScreen({ send, onState, onCancel, onDiscard }: UploadScreenProps) {
  const { t } = useTranslation('capture');
  const describe = useFailureText();
  const { share, failure, isRejected, isLost, sendAgain } = useUpload(send, onState);
  return (
    <Screen heading={t(failure === null ? 'upload.heading' : 'upload.failedHeading')}>
      {failure === null ? (
        <>
          <Progress value={share * 100} aria-label={t('upload.heading')} size="lg" />
          <Text role="status">{t('upload.progress', { percent: formatPercent(share) })}</Text>
          <Group>
            <Button variant="default" onClick={onCancel}>
              {t('cancel')}
            </Button>
          </Group>
        </>
      ) : (
        <Alert color="red" role="alert">
          <Stack gap="sm" align="flex-start">
            <Text size="sm">{isLost ? t('upload.lost') : t('upload.failed', { reason: describe(failure) })}</Text>
            <Group gap="sm">
              <Button variant={isRejected ? 'default' : 'filled'} onClick={sendAgain}>
                {t('upload.again')}
              </Button>
              <Button variant={isRejected ? 'filled' : 'default'} onClick={onDiscard}>
                {t('upload.discard')}
              </Button>
            </Group>
          </Stack>
        </Alert>
      )}
    </Screen>
  );
}
