import { Button, Code, CopyButton, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { toString as renderQr } from 'qrcode';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { identity } from '../../../shared/api/identity';
import { formatDateTime } from '../../../shared/format';
import { Failure } from '../../components/failure';
import type { Session } from './session';
import './texts';

/** A QR code as an address of a picture; null while it is drawn. */
function useQrCode(text: string): string | null {
  const [picture, setPicture] = useState<string | null>(null);
  useEffect(() => {
    let isCurrent = true;
    void renderQr(text, { type: 'svg', margin: 2, errorCorrectionLevel: 'M' }).then((svg) => {
      if (isCurrent) setPicture(`data:image/svg+xml;utf8,${encodeURIComponent(svg)}`);
    });
    return () => {
      isCurrent = false;
    };
  }, [text]);
  return picture;
}

/** A link to the capture page, to copy, to open or to scan. */
export function CaptureLink({ url }: { url: string }) {
  const { t } = useTranslation('sessions');
  const { t: common } = useTranslation('common');
  const picture = useQrCode(url);
  return (
    <Stack>
      <Text size="sm">{t('create.linkHint')}</Text>
      <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
        {url}
      </Code>
      <Group>
        <CopyButton value={url}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy}>
              {common(copied ? 'copied' : 'copy')}
            </Button>
          )}
        </CopyButton>
        <Button component="a" href={url} target="_blank" rel="noreferrer" variant="default">
          {t('create.open')}
        </Button>
      </Group>
      {picture !== null && <img src={picture} alt={t('create.qr')} width={220} height={220} />}
    </Stack>
  );
}

type LinkedSession = Pick<Session, 'id' | 'number'>;

/** Makes a new link for the person of an open session; the service stores none that could be shown again. */
export function NewLink({ session: { id } }: { session: LinkedSession }) {
  const { t } = useTranslation('sessions');
  const create = useMutation({ mutationFn: () => identity.createSessionLink(id) });
  const link = create.data?.link;
  if (link !== undefined)
    return (
      <Stack>
        <CaptureLink url={link.url} />
        <Text size="sm" c="dimmed">
          {t('link.expires', { at: formatDateTime(link.expiresAt) })}
        </Text>
      </Stack>
    );
  return (
    <Stack>
      <Text size="sm">{t('link.replaces')}</Text>
      <Failure error={create.error} />
      <Group>
        <Button loading={create.isPending} onClick={() => create.mutate()} autoFocus data-autofocus>
          {t('link.action')}
        </Button>
      </Group>
    </Stack>
  );
}

/** A new link for the person of an open session, in a dialog. */
export function LinkDialog({ session, onClose }: { session: LinkedSession; onClose: () => void }) {
  const { t } = useTranslation('sessions');
  return (
    <Modal opened onClose={onClose} title={t('link.title', { number: session.number })}>
      <NewLink session={session} />
    </Modal>
  );
}
