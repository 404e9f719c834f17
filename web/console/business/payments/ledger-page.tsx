import { Button, Tabs } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Page } from '../../components/page';
import { usePageSearch } from '../../components/use-page-search';
import { useSession } from '../../session';
import { ExportButton } from '../exports/export-button';
import { oneOf } from '../records/record-list';
import { Aging } from './aging';
import type { Side } from './ledger';
import { ledgerSearch } from './ledger-search';
import { ITEM_STATES, OpenItems } from './open-items';
import { PaymentList } from './payment-list';

const TABS = ['open', 'aging', 'payments'] as const;

/** Receivables or payables: open documents, their age, and payments. */
export function LedgerPage({ side }: { side: Side }) {
  const { t } = useTranslation('payments');
  const navigate = useNavigate();
  const { business: permissions } = useSession();
  const [search] = usePageSearch(ledgerSearch);
  const tab = oneOf(TABS, search.tab) ?? 'open';
  const exported = tab === 'payments' ? (`${side}-payments` as const) : (`${side}s` as const);
  const filters = { search: search.search, state: tab === 'open' ? oneOf(ITEM_STATES, search.state) : undefined };
  return (
    <Page
      title={t(side === 'receivable' ? 'receivables' : 'payables')}
      actions={
        <>
          {tab !== 'aging' && <ExportButton resource={exported} filters={filters} />}
          {permissions.has(`${side}s:create`) && (
            <Button variant="default" component={Link} to={`/${side}s/payments/new`}>
              {t(side === 'receivable' ? 'registerReceipt' : 'registerPayment')}
            </Button>
          )}
          {side === 'payable' && permissions.has('payables:create') && (
            <>
              <Button variant="default" component={Link} to="/bills/new-credit-note">
                {t('newVendorCredit')}
              </Button>
              <Button component={Link} to="/bills/new">
                {t('newBill')}
              </Button>
            </>
          )}
        </>
      }
    >
      <Tabs
        value={tab}
        keepMounted={false}
        // Another tab has other filters, so those of this one are left behind.
        onChange={(value) => void navigate({ to: '.', search: value === 'open' ? {} : { tab: value } })}
      >
        <Tabs.List aria-label={t('tabsLabel')} mb="md">
          {TABS.map((value) => (
            <Tabs.Tab key={value} value={value}>
              {t(`tabs.${value}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="open">
          <OpenItems side={side} />
        </Tabs.Panel>
        <Tabs.Panel value="aging">
          <Aging side={side} />
        </Tabs.Panel>
        <Tabs.Panel value="payments">
          <PaymentList side={side} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
