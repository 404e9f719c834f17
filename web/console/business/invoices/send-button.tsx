import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useTranslation } from 'react-i18next';
import { business } from '../../../shared/api/business';
import { Failure } from '../../components/failure';
import { useApiForm } from '../../components/use-api-form';

/** Sends an issued invoice by e-mail, with the template and the attachments of the company. */
export function SendButton({ id }: { id: number }) {
  const [opened, { open, close }] = useDisclosure();
  const { t } = useTranslation('invoices');
  const { t: common } = useTranslation('business');
  const { form, onSubmit, isPending, failure } = useApiForm({
    initialValues: { to: '' },
    submit: ({ to }) => business.sendInvoice(String(id), to === '' ? {} : { to }),
    onDone: ({ data }) => {
      notifications.show({ color: 'green', message: t('sending', { to: data.to }) });
      close();
    },
  });
  return (
    <>
      <Button variant="default" onClick={open}>
        {t('send')}
      </Button>
      <Modal
        opened={opened}
        onClose={close}
        title={t('sendTitle')}
        closeButtonProps={{ 'aria-label': common('close') }}
      >
        <form onSubmit={onSubmit}>
          <Stack>
            <Text size="sm">{t('sendText')}</Text>
            <TextInput
              type="email"
              label={t('recipient')}
              description={t('recipientHint')}
              {...form.getInputProps('to')}
            />
            <Failure error={failure} />
            <Group justify="end">
              <Button variant="default" onClick={close}>
                {common('back')}
              </Button>
              <Button type="submit" loading={isPending}>
                {t('send')}
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  );
}
