import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { business } from '../../../shared/api/business';
import { DecimalInput } from '../../components/decimal-input';
import { Failure } from '../../components/failure';
import { FieldGrid } from '../../components/field-grid';
import { usePageForm } from '../../components/use-page-form';
import { useSession } from '../../session';
import { formatDecimal } from '../records/money';
import { QUANTITY_DECIMALS, sendGoods } from './goods-lines';
import type { GoodsLine } from './goods-lines';
import { listOpenLines } from './order-values';
import type { OpenLine, Order } from './order-values';

interface ReceiptValues extends Record<string, unknown> {
  date: string;
  reference: string;
  lines: GoodsLine[];
}

const receive = (order: Order, { date, reference, lines }: ReceiptValues) =>
  sendGoods(lines, (sent) =>
    business.receivePurchaseOrder(String(order.id), {
      ...(date === '' ? {} : { date }),
      ...(reference === '' ? {} : { reference }),
      lines: sent,
    }),
  );

const NUMBER = { allowNegative: false, decimalScale: QUANTITY_DECIMALS } as const;

/** Quantity and cost of each open line, and the receipt itself. */
function ReceiptFields({ form, lines }: { form: UseFormReturnType<ReceiptValues>; lines: OpenLine[] }) {
  const { t } = useTranslation('purchasing');
  return (
    <>
      {lines.map((line, index) => (
        <FieldGrid key={line.lineId} cols={2} role="group" aria-label={line.description}>
          <DecimalInput
            label={t('receiveQuantity', { description: line.description, quantity: formatDecimal(line.left) })}
            {...NUMBER}
            {...form.getInputProps(`lines.${index}.quantity`)}
          />
          <DecimalInput
            label={t('unitCost')}
            placeholder={formatDecimal(line.unitCost)}
            {...NUMBER}
            {...form.getInputProps(`lines.${index}.unitCost`)}
          />
        </FieldGrid>
      ))}
      <FieldGrid cols={2}>
        <TextInput
          type="date"
          label={t('receiptDate')}
          description={t('todayByDefault')}
          {...form.getInputProps('date')}
        />
        <TextInput label={t('reference')} description={t('deliveryNote')} {...form.getInputProps('reference')} />
      </FieldGrid>
    </>
  );
}

/** Receives goods of an order into stock, all that are open or fewer. */
export function ReceiveDialog({ order, opened, close }: { order: Order; opened: boolean; close: () => void }) {
  const { t } = useTranslation('purchasing');
  const { t: common } = useTranslation('business');
  const queries = useQueryClient();
  const navigate = useNavigate();
  const mayReadBills = useSession().business.has('payables:read');
  const open = listOpenLines(order);
  const { form, onSubmit, isPending, failure } = usePageForm<ReceiptValues, { data: { receipt: { id: number } } }>({
    isShown: opened,
    initialValues: {
      date: '',
      reference: '',
      lines: open.map(({ lineId, left }) => ({ lineId, quantity: left, unitCost: '' })),
    },
    submit: (values) => receive(order, values),
    onDone: async ({ data: { receipt } }) => {
      close();
      await queries.invalidateQueries({ queryKey: ['business'] });
      if (mayReadBills) await navigate({ to: `/bills/${receipt.id}` });
      else notifications.show({ color: 'green', message: common('saved') });
    },
  });
  return (
    <Modal opened={opened} onClose={close} size="lg" title={t('receiveTitle')}>
      <form onSubmit={onSubmit}>
        <Stack>
          <Text size="sm">{t('receiveText')}</Text>
          {order.lines.some(({ returned }) => returned > 0) && <Text size="sm">{t('receiveAgainText')}</Text>}
          <ReceiptFields form={form} lines={open} />
          <Failure error={failure} />
          <Group justify="end">
            <Button variant="default" onClick={close}>
              {common('back')}
            </Button>
            <Button type="submit" loading={isPending}>
              {t('receive')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
