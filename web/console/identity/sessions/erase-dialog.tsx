import { Alert, Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OperationResponse } from '../../../../clients/typescript/src/calls';
import { identity } from '../../../shared/api/identity';
import { formatDateTime } from '../../../shared/format';
import { Failure } from '../../components/failure';
import { Facts } from './facts';
import type { Session } from './session';
import './texts';

type Receipt = OperationResponse<'deleteSession'>['erasure'];

/** Saves a receipt as a file of this computer. */
function saveReceipt(receipt: Receipt): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([JSON.stringify(receipt, null, 2)], { type: 'application/json' }));
  link.download = `${receipt.id}.json`;
  link.click();
  URL.revokeObjectURL(link.href);
}

function ReceiptView({ receipt, onClose }: { receipt: Receipt; onClose: () => void }) {
  const { t } = useTranslation('sessions');
  const { t: common } = useTranslation('common');
  return (
    <Stack>
      <Alert color="green" role="status">
        {t(receipt.status === 'completed' ? 'erase.done' : 'erase.running')}
      </Alert>
      <Facts
        facts={[
          [t('erase.receipt'), receipt.id],
          [t('erase.requestedAt'), formatDateTime(receipt.requestedAt)],
          [t('erase.completedAt'), receipt.completedAt === null ? null : formatDateTime(receipt.completedAt)],
          [t('erase.keys'), receipt.dataKeysDestroyed],
          [t('erase.files'), receipt.objectsRemoved],
          [t('erase.records'), receipt.collections.reduce((sum, { removed }) => sum + removed, 0)],
        ]}
      />
      <Group justify="flex-end">
        <Button variant="default" onClick={() => saveReceipt(receipt)}>
          {common('download')}
        </Button>
        <Button onClick={onClose}>{common('close')}</Button>
      </Group>
    </Stack>
  );
}

interface EraseDialogProps {
  session: Session;
  onClose: () => void;
  /** Called when the dialog is closed after the erasure. */
  onErased: () => void;
}

/** Erases a session after its number was typed, and shows the receipt. */
export function EraseDialog({ session, onClose, onErased }: EraseDialogProps) {
  const { t } = useTranslation('sessions');
  const { t: common } = useTranslation('common');
  const queries = useQueryClient();
  const [typed, setTyped] = useState('');
  const erase = useMutation({
    mutationFn: () => identity.deleteSession(session.id),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['identity', 'listSessions'] }),
  });
  const receipt = erase.data?.erasure;
  const close = receipt === undefined ? onClose : onErased;
  return (
    <Modal opened onClose={close} title={t('erase.title', { number: session.number })}>
      {receipt === undefined ? (
        <Stack>
          <Alert color="red">{t('erase.warning')}</Alert>
          <Failure error={erase.error} />
          <TextInput
            label={t('erase.confirm', { number: session.number })}
            inputMode="numeric"
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            data-autofocus
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {common('cancel')}
            </Button>
            <Button
              color="red"
              disabled={typed.trim() !== String(session.number)}
              loading={erase.isPending}
              onClick={() => erase.mutate()}
            >
              {t('erase.action')}
            </Button>
          </Group>
        </Stack>
      ) : (
        <ReceiptView receipt={receipt} onClose={onErased} />
      )}
    </Modal>
  );
}
