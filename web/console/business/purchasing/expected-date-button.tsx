import { Button, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import { business } from '../../../shared/api/business';
import { EditDialog } from '../records/edit-dialog';
import type { Order } from './order-values';

/** Changes the day on which the goods of a placed order are expected. */
export function ExpectedDateButton({ orderId }: { orderId: string }) {
  const { t } = useTranslation('purchasing');
  const [opened, dialog] = useDisclosure();
  return (
    <>
      <Button variant="default" onClick={dialog.open}>
        {t('changeExpectedDate')}
      </Button>
      <EditDialog<Order, { expectedDate: string }>
        opened={opened}
        close={dialog.close}
        title={t('changeExpectedDate')}
        operation="getPurchaseOrder"
        id={orderId}
        read={(id, options) => business.getPurchaseOrder(id, options)}
        toValues={(order) => ({ expectedDate: order?.expectedDate ?? '' })}
        submit={({ expectedDate }, options) =>
          business.updatePurchaseOrder(orderId, { expectedDate: expectedDate || null }, options)
        }
      >
        {(form) => (
          <TextInput
            type="date"
            label={t('expectedDate')}
            description={t('expectedDateHint')}
            {...form.getInputProps('expectedDate')}
          />
        )}
      </EditDialog>
    </>
  );
}
