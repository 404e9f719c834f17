import { Badge, Button, Group, Paper, SimpleGrid, Skeleton, Stack, Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { businessQuery } from '../../../shared/api/business';
import { getCountryName } from '../../components/country-name';
import { Failure } from '../../components/failure';
import { Page } from '../../components/page';
import { usePageParam, usePageSearch } from '../../components/use-page-search';
import { useSession } from '../../session';
import { PauseControl } from '../messages/pause-control';
import { OpenItems } from '../payments/open-items';
import { PaymentList } from '../payments/payment-list';
import { Fields } from '../records/fields';
import { PAYMENT_TERMS } from '../records/lookups';
import { Money, RED } from '../records/money';
import { oneOf } from '../records/record-list';
import { partyQuery } from './party-kind';
import type { Party, PartyKind } from './party-kind';
import { partySearch } from './party-search';
import { TaxId, usePollInterval } from './tax-id';
import { StatementMenu } from './statement-menu';
import { StatementView } from './statement-view';
import { EINVOICE_PROFILES, TAX_PROFILES } from './tax-fields';

function Balance({ kind, id }: { kind: PartyKind; id: string }) {
  const { t } = useTranslation('parties');
  const { data, error } = useQuery(
    businessQuery(kind.operations.balance, [id], (options) => kind.getBalance(id, options)),
  );
  if (error !== null) return <Failure error={error} />;
  if (data === undefined) return <Skeleton h={80} />;
  const { balance, overdue, credit, baseCurrencyCode } = data.data;
  return (
    <SimpleGrid cols={3}>
      {(
        [
          ['balance', balance],
          ['overdue', overdue],
          ['credit', credit],
        ] as const
      ).map(([name, amount]) => (
        <Paper key={name} withBorder p="sm">
          <Text size="xs" c="dimmed">
            {t(name)}
          </Text>
          <Money
            amount={amount}
            currency={baseCurrencyCode}
            fw={600}
            c={name === 'overdue' && amount > 0 ? RED : undefined}
          />
        </Paper>
      ))}
    </SimpleGrid>
  );
}

function Facts({ kind, party }: { kind: PartyKind; party: Party }) {
  const { t } = useTranslation('parties');
  const { t: common } = useTranslation('business');
  const { business: permissions } = useSession();
  const verify = permissions.has(kind.permissions.update) ? () => kind.verifyTaxId(String(party.id)) : null;
  const { line1, line2, postalCode, city, region, country } = party.address;
  const address = [
    line1,
    line2,
    [postalCode, city].filter(Boolean).join(' '),
    region,
    country && getCountryName(country),
  ]
    .filter(Boolean)
    .join(', ');
  const terms = oneOf(PAYMENT_TERMS, party.paymentTerms ?? undefined);
  const profile = oneOf(TAX_PROFILES, party.taxProfile ?? undefined);
  const eInvoiceProfile = oneOf(EINVOICE_PROFILES, party.eInvoiceProfile ?? undefined);
  return (
    <Fields
      rows={[
        [t('code'), party.code],
        [t('taxId'), party.taxId === null ? null : <TaxId key="taxId" holder={party} verify={verify} />],
        [t('registrationNumber'), party.registrationNumber],
        [t('taxProfile'), profile === undefined ? t('automatic') : t(`taxProfiles.${profile}`)],
        [t('email'), party.email],
        [t('phone'), party.phone],
        [common('address.legend'), address],
        [t('paymentTerms'), terms && common(`terms.${terms}`)],
        [t('currency'), party.currencyCode],
        ...(party.iban === undefined ? [] : ([[t('iban'), party.iban]] as const)),
        ...(party.eInvoiceProfile === undefined
          ? []
          : ([
              [t('eInvoiceProfile'), t(`eInvoiceProfiles.${eInvoiceProfile ?? 'en16931'}`)],
              [t('electronicAddress'), party.electronicAddress],
              [t('buyerReference'), party.buyerReference],
            ] as const)),
        [t('notes'), party.notes],
      ]}
    />
  );
}

function Actions({ kind, party }: { kind: PartyKind; party: Party }) {
  const { t } = useTranslation('parties');
  const { t: common } = useTranslation('business');
  const { business: permissions } = useSession();
  const navigate = useNavigate();
  const canPay = permissions.has(kind.side === 'receivable' ? 'receivables:create' : 'payables:create');
  return (
    <>
      {permissions.has(kind.permissions.update) && (
        <Button variant="default" component={Link} to={`${kind.path}/${party.id}/edit`}>
          {common('edit')}
        </Button>
      )}
      {kind.name === 'customer' && permissions.has('receivables:read') && (
        <StatementMenu id={party.id} code={party.code} email={party.email} />
      )}
      {canPay && (
        <Button
          variant="default"
          onClick={() => void navigate({ to: `/${kind.side}s/payments/new`, search: { partyId: String(party.id) } })}
        >
          {t('registerPayment')}
        </Button>
      )}
      {kind.name === 'customer' && permissions.has('invoices:create') && party.active && (
        <Button onClick={() => void navigate({ to: '/invoices/new', search: { customerId: String(party.id) } })}>
          {t('newInvoice')}
        </Button>
      )}
    </>
  );
}

const TABS = ['documents', 'payments', 'statement'] as const;

/** The documents, payments and statement of a party. */
function Account({ kind, party }: { kind: PartyKind; party: Party }) {
  const { t } = useTranslation('parties');
  const navigate = useNavigate();
  const [search] = usePageSearch(partySearch);
  const tabs = TABS.filter((tab) => tab !== 'statement' || kind.name === 'customer');
  return (
    <Tabs
      value={oneOf(tabs, search.tab) ?? 'documents'}
      keepMounted={false}
      onChange={(value) => void navigate({ to: '.', search: value === 'documents' ? {} : { tab: value } })}
    >
      <Tabs.List aria-label={t('accountLabel')} mb="md">
        {tabs.map((value) => (
          <Tabs.Tab key={value} value={value}>
            {t(value)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value="documents">
        <OpenItems side={kind.side} partyId={party.id} />
      </Tabs.Panel>
      <Tabs.Panel value="payments">
        <PaymentList side={kind.side} partyId={party.id} />
      </Tabs.Panel>
      <Tabs.Panel value="statement">
        <StatementView id={String(party.id)} />
      </Tabs.Panel>
    </Tabs>
  );
}

/** One customer or vendor: facts, balance, documents, payments and statement. */
export function PartyPage({ kind }: { kind: PartyKind }) {
  const { t } = useTranslation('parties');
  const { t: common } = useTranslation('business');
  const { business: permissions } = useSession();
  const id = usePageParam('partyId');
  const getPollInterval = usePollInterval();
  const { data, error } = useQuery({
    ...partyQuery(kind, id),
    refetchInterval: ({ state }) => getPollInterval(state.data?.data),
  });
  const party = data?.data;
  const canSeeAccount = permissions.has(kind.side === 'receivable' ? 'receivables:read' : 'payables:read');
  return (
    <Page title={party?.name ?? t(`${kind.name}.one`)} actions={party && <Actions kind={kind} party={party} />}>
      <Failure error={error} />
      {party === undefined ? (
        error === null && <Skeleton h={240} />
      ) : (
        <Stack>
          {!party.active && (
            <Group>
              <Badge color="gray">{common('activity.false')}</Badge>
            </Group>
          )}
          <Paper withBorder p="md">
            <Facts kind={kind} party={party} />
          </Paper>
          {canSeeAccount && (
            <>
              <Balance kind={kind} id={id} />
              {kind.name === 'customer' && <PauseControl kind="customer" id={id} />}
              <Account kind={kind} party={party} />
            </>
          )}
        </Stack>
      )}
    </Page>
  );
}
