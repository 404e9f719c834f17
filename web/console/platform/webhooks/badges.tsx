import { Badge } from '@mantine/core';
import type { MantineColor } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { OperationResponse } from '../../../../clients/typescript/src/calls';
import './texts';

export type Webhook = OperationResponse<'getWebhook'>['webhook'];
export type Delivery = OperationResponse<'listWebhookDeliveries'>['deliveries'][number];

const DELIVERY_COLORS: Readonly<Record<Delivery['status'], MantineColor>> = {
  pending: 'yellow',
  succeeded: 'green',
  failed: 'red',
  cancelled: 'gray',
};

export const DELIVERY_STATUSES = Object.keys(DELIVERY_COLORS) as Delivery['status'][];

/** The status of a delivery, in words and by colour. */
export function DeliveryBadge({ status }: { status: Delivery['status'] }) {
  const { t } = useTranslation('webhooks');
  return (
    <Badge color={DELIVERY_COLORS[status]} variant="outline" c="var(--mantine-color-text)" tt="none">
      {t(`deliveryStatus.${status}`)}
    </Badge>
  );
}

/** Whether events are sent to a webhook. */
export function WebhookBadge({ webhook: { status, disabledReason } }: { webhook: Webhook }) {
  const { t } = useTranslation('webhooks');
  const text = disabledReason === null ? t(`status.${status}`) : t(`disabledReason.${disabledReason}`);
  return (
    <Badge
      color={status === 'enabled' ? 'green' : 'red'}
      variant="outline"
      c="var(--mantine-color-text)"
      tt="none"
      maw="100%"
    >
      {text}
    </Badge>
  );
}
