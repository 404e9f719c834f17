import { IconBroadcast, IconListDetails } from '@tabler/icons-react';
import { defineFeature } from '../../feature';
import { allowsWebhooks } from './allows-webhooks';

export default defineFeature({
  allows: allowsWebhooks,
  pages: [
    { path: '/webhooks', load: () => import('./webhooks-page') },
    { path: '/webhooks/$webhookId', load: () => import('./webhook-page') },
    { path: '/webhooks/$webhookId/deliveries/$deliveryId', load: () => import('./delivery-page') },
    { path: '/events', load: () => import('./events-page') },
  ],
  navigation: [
    {
      section: 'developers',
      order: 20,
      label: { en: 'Webhooks', de: 'Webhooks' },
      icon: IconBroadcast,
      to: '/webhooks',
    },
    {
      section: 'developers',
      order: 30,
      label: { en: 'Event catalogue', de: 'Ereigniskatalog' },
      icon: IconListDetails,
      to: '/events',
    },
  ],
});
