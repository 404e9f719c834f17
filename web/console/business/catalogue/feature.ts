import { IconPackage } from '@tabler/icons-react';
import { defineFeature } from '../../feature';

export default defineFeature({
  allows: ({ business }) => business.has('products:read'),
  pages: [
    { path: '/products', load: () => import('./product-list') },
    {
      path: '/products/new',
      load: () => import('./product-editor'),
      allows: ({ business }) => business.has('products:create'),
    },
    {
      path: '/products/$productId',
      load: () => import('./product-editor'),
    },
  ],
  navigation: [
    { section: 'business', order: 30, label: { en: 'Products', de: 'Produkte' }, icon: IconPackage, to: '/products' },
  ],
});
