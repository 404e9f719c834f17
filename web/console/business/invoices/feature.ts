import { IconFileInvoice } from '@tabler/icons-react';
import { defineFeature } from '../../feature';

export default defineFeature({
  allows: ({ business }) => business.has('invoices:read'),
  pages: [
    { path: '/invoices', load: () => import('./invoice-list') },
    {
      path: '/invoices/new',
      load: () => import('./invoice-editor'),
      allows: ({ business }) => business.has('invoices:create'),
    },
    {
      path: '/invoices/$invoiceId/edit',
      load: () => import('./invoice-editor'),
      allows: ({ business }) => business.has('invoices:update'),
    },
    { path: '/invoices/$invoiceId', load: () => import('./invoice-page') },
  ],
  navigation: [
    {
      section: 'business',
      order: 10,
      label: { en: 'Invoices', de: 'Rechnungen' },
      icon: IconFileInvoice,
      to: '/invoices',
    },
  ],
});
