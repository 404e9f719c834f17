import {
  Button,
  Checkbox,
  Code,
  CopyButton,
  Group,
  List,
  Modal,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OperationResponse } from '../../../../clients/typescript/src/calls';
import { identity, identityQuery } from '../../../shared/api/identity';
import { formatDateTime } from '../../../shared/format';
import { Failure } from '../../components/failure';
import { usePageForm } from '../../components/use-page-form';
import { useRefreshSessions } from './session';
import type { Session } from './session';
import './texts';

type Share = OperationResponse<'shareSession'>;

function CreatedShare({ share }: { share: Share }) {
  const { t } = useTranslation('sessions');
  const { t: common } = useTranslation('common');
  return (
    <Stack>
      <Text size="sm">{t('share.created', { at: formatDateTime(share.expiresAt) })}</Text>
      <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
        {share.shareToken}
      </Code>
      <CopyButton value={share.shareToken}>
        {({ copied, copy }) => (
          <Button variant="default" onClick={copy}>
            {common(copied ? 'copied' : 'copy')}
          </Button>
        )}
      </CopyButton>
    </Stack>
  );
}

function EarlierShares({ sessionId }: { sessionId: string }) {
  const { t } = useTranslation('sessions');
  const refresh = useRefreshSessions();
  const { data } = useQuery(
    identityQuery('listShares', [sessionId], (options) => identity.listShares(sessionId, {}, options)),
  );
  const revoke = useMutation({ mutationFn: (id: string) => identity.revokeShare(sessionId, id), onSuccess: refresh });
  if (data === undefined || data.shares.length === 0) return null;
  return (
    <Stack gap="xs">
      <Text fw={600}>{t('share.earlier')}</Text>
      <Failure error={revoke.error} />
      <List size="sm">
        {data.shares.map(({ id, audience, status, createdAt, createdBy, createdByName }) => (
          <List.Item key={id}>
            {audience} · {t(`shareStatus.${status}`)} · {formatDateTime(createdAt)} · {createdByName ?? createdBy}
            {status === 'open' && (
              <Button
                ml="xs"
                size="compact-xs"
                variant="default"
                loading={revoke.isPending && revoke.variables === id}
                onClick={() => revoke.mutate(id)}
              >
                {t('share.revoke')}
              </Button>
            )}
          </List.Item>
        ))}
      </List>
    </Stack>
  );
}

/** Shares the result of a session with another organisation, with the consent of the person. */
export function ShareDialog({ session, onClose }: { session: Session; onClose: () => void }) {
  const { t } = useTranslation('sessions');
  const [share, setShare] = useState<Share | null>(null);
  const refresh = useRefreshSessions();
  const initialValues = { consentText: '', audience: '', images: false, contact: false };
  const { form, onSubmit, isPending, failure } = usePageForm({
    initialValues,
    submit: ({ consentText, audience, images, contact }) =>
      identity.shareSession(session.id, {
        consentText,
        ...(audience === '' ? {} : { audience }),
        include: [...(images ? (['images'] as const) : []), ...(contact ? (['contact'] as const) : [])],
      }),
    onDone: async (created) => {
      setShare(created);
      await refresh();
    },
  });
  return (
    <Modal opened onClose={onClose} title={t('share.title', { number: session.number })} size="lg">
      <Stack>
        {share === null ? (
          <form onSubmit={onSubmit}>
            <Stack>
              <Failure error={failure} />
              <Textarea
                label={t('share.consent')}
                description={t('share.consentHint')}
                required
                autosize
                minRows={2}
                {...form.getInputProps('consentText')}
              />
              <TextInput
                label={t('share.audience')}
                description={t('share.audienceHint')}
                {...form.getInputProps('audience')}
              />
              <Group>
                <Checkbox label={t('share.images')} {...form.getInputProps('images', { type: 'checkbox' })} />
                <Checkbox label={t('share.contact')} {...form.getInputProps('contact', { type: 'checkbox' })} />
              </Group>
              <Button type="submit" loading={isPending}>
                {t('share.action')}
              </Button>
            </Stack>
          </form>
        ) : (
          <CreatedShare share={share} />
        )}
        <EarlierShares sessionId={session.id} />
      </Stack>
    </Modal>
  );
}
