import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { business } from '../../../shared/api/business';
import { EDITED } from '../../components/use-edited-record';
import { ConfirmDialog } from '../records/confirm-dialog';

/** Removes the mail server after a confirmation. */
export function RemoveEmailButton() {
  const { t } = useTranslation('settings');
  const { t: common } = useTranslation('business');
  const queries = useQueryClient();
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button variant="default" onClick={open}>
        {common('remove')}
      </Button>
      <ConfirmDialog
        opened={opened}
        close={close}
        title={t('email.removeTitle')}
        action={common('remove')}
        isDestructive
        submit={() => business.removeEmailSettings()}
        onDone={() => queries.invalidateQueries({ queryKey: [EDITED, 'getEmailSettings'] })}
      >
        {t('email.removeText')}
      </ConfirmDialog>
    </>
  );
}
