import { Tabs, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { cursorSearch } from '../../components/list-search';
import { Page } from '../../components/page';
import { usePageSearch } from '../../components/use-page-search';
import { useSession } from '../../session';
import { BusinessKeys } from './business-keys';
import { IdentityKeys } from './identity-keys';
import './texts';

const PRODUCTS = ['identity', 'business'] as const;

const searchSchema = cursorSearch.extend({
  product: z.enum(PRODUCTS).optional().catch(undefined),
  page: z.coerce.number().int().min(1).optional().catch(undefined),
});

/** The API keys of both products, each with its own permissions. */
export default function KeysPage() {
  const { t } = useTranslation('api-keys');
  const { identity, business } = useSession();
  const [search, change] = usePageSearch(searchSchema);
  const allowed = PRODUCTS.filter((each) =>
    each === 'identity' ? identity.has('keys:read') : business.has('admin:read'),
  );
  const product = search.product ?? allowed[0] ?? 'identity';
  return (
    <Page title={t('title')}>
      <Text>{t('introduction')}</Text>
      <Tabs
        value={product}
        onChange={(value) =>
          change({ ...searchSchema.parse({ product: value }), cursor: undefined, skip: undefined, page: undefined })
        }
        keepMounted={false}
      >
        <Tabs.List>
          {allowed.map((each) => (
            <Tabs.Tab key={each} value={each}>
              {t(`product.${each}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="identity" pt="md">
          <IdentityKeys search={search} change={change} />
        </Tabs.Panel>
        <Tabs.Panel value="business" pt="md">
          <BusinessKeys page={search.page ?? 1} change={(page) => change({ page })} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
