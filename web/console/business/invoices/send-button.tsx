import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import { SendDialog } from '../messages/send-dialog';
import type { Invoice } from './invoice-values';

/** Sends an issued invoice by e-mail, after a look at the message. */
export function SendButton({ invoice }: { invoice: Invoice }) {
  const [opened, { open, close }] = useDisclosure();
  const { t } = useTranslation('invoices');
  return (
    <>
      <Button variant="default" onClick={open}>
        {t('send')}
      </Button>
      <SendDialog invoice={invoice} opened={opened} close={close} />
    </>
  );
}
