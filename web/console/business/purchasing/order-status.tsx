import { Badge } from '@mantine/core';
import { useTranslation } from 'react-i18next';

export const ORDER_STATUSES = ['draft', 'ordered', 'partially_received', 'received', 'cancelled'] as const;

const COLORS = {
  draft: 'gray',
  ordered: 'blue',
  partially_received: 'cyan',
  received: 'green',
  cancelled: 'gray',
} as const;

/** The status of an order in words. */
export function OrderStatus({ status }: { status: (typeof ORDER_STATUSES)[number] }) {
  const { t } = useTranslation('purchasing');
  return (
    <Badge variant="light" color={COLORS[status]}>
      {t(`statuses.${status}`)}
    </Badge>
  );
}
