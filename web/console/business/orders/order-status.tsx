import { Badge } from '@mantine/core';
import { useTranslation } from 'react-i18next';

export const SALES_ORDER_STATUSES = ['draft', 'confirmed', 'invoiced', 'cancelled'] as const;

const COLORS = { draft: 'gray', confirmed: 'blue', invoiced: 'green', cancelled: 'gray' } as const;

/** The status of an order in words. */
export function SalesOrderStatus({ status }: { status: (typeof SALES_ORDER_STATUSES)[number] }) {
  const { t } = useTranslation('orders');
  return (
    <Badge variant="light" color={COLORS[status]}>
      {t(`statuses.${status}`)}
    </Badge>
  );
}
