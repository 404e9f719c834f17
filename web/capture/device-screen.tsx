import { Button, Text } from '@mantine/core';
import { create } from 'qrcode';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { client } from './api';
import { Busy, FailureAlert, Paragraph, Screen } from './screen';

/** Light modules around a code, without which readers do not find it (ISO/IEC 18004, 9.1). */
const QUIET_ZONE = 4;

/** A code is valid for ten minutes; it is replaced before it expires while somebody may be scanning it. */
const RENEW_AFTER_MS = 9 * 60_000;

/** Width and height of a code in pixels, on screens that are as wide. */
const CODE_SIDE = 280;

/** A QR code in black on white, whatever the colours of the page: not every reader accepts inverted ones. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { modules } = create(text, { errorCorrectionLevel: 'M' });
  const side = modules.size + 2 * QUIET_ZONE;
  const path = Array.from({ length: modules.size }, (_, row) =>
    Array.from({ length: modules.size }, (_unused, column) =>
      modules.get(row, column) === 1 ? `M${column + QUIET_ZONE} ${row + QUIET_ZONE}h1v1h-1z` : '',
    ).join(''),
  ).join('');
  return (
    <svg
      viewBox={`0 0 ${side} ${side}`}
      role="img"
      aria-label={label}
      data-text={text}
      shapeRendering="crispEdges"
      style={{ display: 'block', width: '100%', background: '#fff' }}
    >
      <path d={path} fill="#000" />
    </svg>
  );
}

interface DeviceScreenProps {
  onStay: () => void;
}

/** Offers to continue on a phone. */
export default function DeviceScreen({ onStay }: DeviceScreenProps) {
  const { t } = useTranslation('capture');
  const [url, setUrl] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [attempt, setAttempt] = useState(0);

  const renew = (): void => {
    setError(null);
    setUrl(null);
    setAttempt((before) => before + 1);
  };

  useEffect(() => {
    if (url === null) return undefined;
    // Not by `expiresAt`: the clock of the computer may be wrong.
    const timer = setTimeout(renew, RENEW_AFTER_MS);
    return () => clearTimeout(timer);
  }, [url]);

  useEffect(() => {
    const ended = new AbortController();
    client.handOverCapture({ signal: ended.signal }).then(
      ({ link }) => setUrl(link.url),
      (reason: unknown) => ended.signal.aborted || setError(reason),
    );
    return () => ended.abort();
  }, [attempt]);

  return (
    <Screen heading={t('device.heading')}>
      <Paragraph>{t('device.why')}</Paragraph>
      {error !== null && <FailureAlert error={error} onRetry={renew} />}
      {error === null && (
        <>
          {/* As large before the code is known: the buttons below stay where they are. */}
          <div style={{ width: '100%', maxWidth: CODE_SIDE, aspectRatio: '1' }}>
            {url === null ? <Busy label={t('opening')} /> : <QrCode text={url} label={t('device.code')} />}
          </div>
          <Text size="sm" c="dimmed">
            {t('device.valid')}
          </Text>
        </>
      )}
      <Button variant="default" onClick={renew} disabled={url === null}>
        {t('device.renew')}
      </Button>
      <Button onClick={onStay}>{t('device.stay')}</Button>
    </Screen>
  );
}
