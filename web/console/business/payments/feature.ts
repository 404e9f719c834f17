import { IconCashBanknote, IconCreditCardPay } from '@tabler/icons-react';
import { defineFeature } from '../../feature';

export default defineFeature({
  allows: ({ business }) => business.has('receivables:read') || business.has('payables:read'),
  pages: [
    {
      path: '/receivables',
      load: () => import('./receivables-page'),
      allows: ({ business }) => business.has('receivables:read'),
    },
    {
      path: '/receivables/payments/new',
      load: () => import('./receivable-payment-editor'),
      allows: ({ business }) => business.has('receivables:create'),
    },
    {
      path: '/receivables/payments/$paymentId',
      load: () => import('./receivable-payment-page'),
      allows: ({ business }) => business.has('receivables:read'),
    },
    {
      path: '/payables',
      load: () => import('./payables-page'),
      allows: ({ business }) => business.has('payables:read'),
    },
    {
      path: '/payables/payments/new',
      load: () => import('./payable-payment-editor'),
      allows: ({ business }) => business.has('payables:create'),
    },
    {
      path: '/payables/payments/$paymentId',
      load: () => import('./payable-payment-page'),
      allows: ({ business }) => business.has('payables:read'),
    },
  ],
  navigation: [
    {
      section: 'business',
      order: 15,
      label: { en: 'Receivables', de: 'Forderungen' },
      icon: IconCashBanknote,
      to: '/receivables',
      allows: ({ business }) => business.has('receivables:read'),
    },
    {
      section: 'business',
      order: 65,
      label: { en: 'Payables', de: 'Verbindlichkeiten' },
      icon: IconCreditCardPay,
      to: '/payables',
      allows: ({ business }) => business.has('payables:read'),
    },
  ],
});
