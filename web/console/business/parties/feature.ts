import { IconBuildingStore, IconUsersGroup } from '@tabler/icons-react';
import { defineFeature } from '../../feature';

export default defineFeature({
  allows: ({ business }) => business.has('customers:read') || business.has('vendors:read'),
  pages: [
    {
      path: '/customers',
      load: () => import('./customer-list'),
      allows: ({ business }) => business.has('customers:read'),
    },
    {
      path: '/customers/new',
      load: () => import('./customer-editor'),
      allows: ({ business }) => business.has('customers:create'),
    },
    {
      path: '/customers/$partyId',
      load: () => import('./customer-page'),
      allows: ({ business }) => business.has('customers:read'),
    },
    {
      path: '/customers/$partyId/edit',
      load: () => import('./customer-editor'),
      allows: ({ business }) => business.has('customers:update'),
    },
    { path: '/vendors', load: () => import('./vendor-list'), allows: ({ business }) => business.has('vendors:read') },
    {
      path: '/vendors/new',
      load: () => import('./vendor-editor'),
      allows: ({ business }) => business.has('vendors:create'),
    },
    {
      path: '/vendors/$partyId',
      load: () => import('./vendor-page'),
      allows: ({ business }) => business.has('vendors:read'),
    },
    {
      path: '/vendors/$partyId/edit',
      load: () => import('./vendor-editor'),
      allows: ({ business }) => business.has('vendors:update'),
    },
  ],
  navigation: [
    {
      section: 'business',
      order: 20,
      label: { en: 'Customers', de: 'Kunden' },
      icon: IconUsersGroup,
      to: '/customers',
      allows: ({ business }) => business.has('customers:read'),
    },
    {
      section: 'business',
      order: 60,
      label: { en: 'Vendors', de: 'Lieferanten' },
      icon: IconBuildingStore,
      to: '/vendors',
      allows: ({ business }) => business.has('vendors:read'),
    },
  ],
});
