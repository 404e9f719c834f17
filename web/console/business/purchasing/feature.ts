import { IconTruckDelivery, IconTruckReturn } from '@tabler/icons-react';
import { defineFeature } from '../../feature';

export default defineFeature({
  allows: ({ business }) => business.has('purchase-orders:read') || business.has('payables:read'),
  pages: [
    {
      path: '/purchase-orders',
      load: () => import('./order-list'),
      allows: ({ business }) => business.has('purchase-orders:read'),
    },
    {
      path: '/purchase-orders/new',
      load: () => import('./order-editor'),
      allows: ({ business }) => business.has('purchase-orders:create'),
    },
    {
      path: '/purchase-orders/$orderId',
      load: () => import('./order-page'),
      allows: ({ business }) => business.has('purchase-orders:read'),
    },
    {
      path: '/bills/new',
      load: () => import('./bill-editor'),
      allows: ({ business }) => business.has('payables:create'),
    },
    {
      path: '/purchase-orders/$orderId/edit',
      load: () => import('./order-editor'),
      allows: ({ business }) => business.has('purchase-orders:update'),
    },
    {
      path: '/bills/new-credit-note',
      load: () => import('./vendor-credit-note-editor'),
      allows: ({ business }) => business.has('payables:create'),
    },
    {
      path: '/bills/$billId',
      load: () => import('./bill-page'),
      allows: ({ business }) => business.has('payables:read'),
    },
    {
      path: '/vendor-returns',
      load: () => import('./return-list'),
      allows: ({ business }) => business.has('purchase-orders:read'),
    },
    {
      path: '/vendor-returns/new',
      load: () => import('./return-editor'),
      allows: ({ business }) => business.has('purchase-orders:receive') && business.has('payables:read'),
    },
    {
      path: '/vendor-returns/$returnId',
      load: () => import('./return-page'),
      allows: ({ business }) => business.has('purchase-orders:read'),
    },
  ],
  navigation: [
    {
      section: 'business',
      order: 62,
      label: { en: 'Purchase orders', de: 'Bestellungen' },
      icon: IconTruckDelivery,
      to: '/purchase-orders',
      allows: ({ business }) => business.has('purchase-orders:read'),
    },
    {
      section: 'business',
      order: 63,
      label: { en: 'Returns to vendors', de: 'Rückgaben' },
      icon: IconTruckReturn,
      to: '/vendor-returns',
      allows: ({ business }) => business.has('purchase-orders:read'),
    },
  ],
});
