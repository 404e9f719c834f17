import { IconClipboardList } from '@tabler/icons-react';
import { defineFeature } from '../../feature';

export default defineFeature({
  // Who keeps the stock reads orders to pick their goods.
  allows: ({ business }) => business.has('invoices:read') || business.has('inventory:adjust'),
  pages: [
    { path: '/sales-orders', load: () => import('./order-list') },
    {
      path: '/sales-orders/new',
      load: () => import('./order-editor'),
      allows: ({ business }) => business.has('invoices:create'),
    },
    {
      path: '/sales-orders/$orderId/edit',
      load: () => import('./order-editor'),
      allows: ({ business }) => business.has('invoices:update'),
    },
    { path: '/sales-orders/$orderId', load: () => import('./order-page') },
  ],
  navigation: [
    {
      section: 'business',
      order: 8,
      label: { en: 'Sales orders', de: 'Aufträge' },
      icon: IconClipboardList,
      to: '/sales-orders',
    },
  ],
});
