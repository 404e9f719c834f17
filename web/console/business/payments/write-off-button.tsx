import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { business } from '../../../shared/api/business';
import { ConfirmDialog } from '../records/confirm-dialog';
import type { Side } from './ledger';

/** Closes a document of which a small difference is left open. */
export function WriteOffButton({ side, documentId }: { side: Side; documentId: number }) {
  const { t } = useTranslation('payments');
  const queries = useQueryClient();
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button variant="default" onClick={open}>
        {t('writeOff')}
      </Button>
      <ConfirmDialog<unknown>
        opened={opened}
        close={close}
        title={t('writeOffTitle')}
        action={t('writeOff')}
        isDestructive
        needsReason
        submit={(reason) =>
          side === 'receivable'
            ? business.writeOffReceivable({ documentId, reason })
            : business.writeOffPayable({ documentId, reason })
        }
        onDone={() => queries.invalidateQueries({ queryKey: ['business'] })}
      >
        {t('writeOffText')}
      </ConfirmDialog>
    </>
  );
}
