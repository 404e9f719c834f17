import { List, Loader, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { OperationResponse } from '../../../../clients/typescript/src/calls';
import { identity, identityQuery } from '../../../shared/api/identity';
import { formatDate, formatDateTime, formatNumber, formatPercentRange } from '../../../shared/format';
import { getCountryName } from '../../components/country-name';
import { Failure } from '../../components/failure';
import { FailureReason } from '../../components/failure-reason';
import { Page } from '../../components/page';
import { usePageParam } from '../../components/use-page-search';
import { useRefreshInterval } from '../../components/use-refresh-interval';
import { Facts } from '../sessions/facts';
import { RisksSection } from '../sessions/risks-section';
import { Section } from '../sessions/section';
import './texts';

type Check = OperationResponse<'getKybCheck'>['check'];

/** A running check is read again until the registers have answered. */
const POLL_MS = 2000;

function CompanySection({ check: { company, query } }: { check: Check }) {
  const { t } = useTranslation('kyb');
  const address = company?.registeredAddress;
  const country = company?.country ?? query.country;
  return (
    <Section title={t('company')}>
      <Facts
        facts={[
          [t('name'), company?.legalName ?? query.companyName],
          [t('country'), country == null ? null : getCountryName(country)],
          [t('registrationNumber'), company?.registrationNumber ?? query.registrationNumber],
          [t('vatNumber'), company?.vatNumber ?? query.vatNumber],
          ['LEI', company?.lei ?? query.lei],
          [t('state'), company == null ? null : t(`companyStatus.${company.status}`)],
          [t('legalForm'), company?.legalForm?.name],
          [t('incorporated'), company?.incorporationDate == null ? null : formatDate(company.incorporationDate)],
          [
            t('address'),
            address == null ? null : [...address.lines, address.postalCode, address.city].filter(Boolean).join(', '),
          ],
        ]}
      />
    </Section>
  );
}

/** The share of an owner, as a range if the register publishes ranges. */
const listShares = (shares: Check['owners'][number]['sharesPercent']): string[] =>
  shares === null ? [] : [formatPercentRange(shares.from / 100, shares.to / 100)];

function PeopleSection({ check: { officers, owners } }: { check: Check }) {
  const { t } = useTranslation('kyb');
  const people = [
    ...officers.map(({ name, role }) => [name, role ?? t('officer')] as const),
    ...owners.map(
      ({ name, sharesPercent, control }) =>
        [name, [t('owner'), ...listShares(sharesPercent), ...control].join(' · ')] as const,
    ),
  ];
  return (
    <Section title={t('people')}>
      {people.length === 0 ? (
        <Text size="sm">{t('noPeople')}</Text>
      ) : (
        <List size="sm">
          {people.map(([name, role]) => (
            <List.Item key={`${name}.${role}`}>
              {name} · {role}
            </List.Item>
          ))}
        </List>
      )}
    </Section>
  );
}

function ScreeningSection({ aml }: { aml: NonNullable<Check['aml']> }) {
  const { t } = useTranslation('kyb');
  return (
    <Section title={t('screening')}>
      {aml.reason !== null && (
        <Text size="sm">
          <FailureReason code={aml.reason} />
        </Text>
      )}
      <List size="sm">
        {aml.parties.map(({ name, score, hits }) => (
          <List.Item key={name}>
            {t('party', {
              name,
              count: hits.length,
              hits: formatNumber(hits.length),
              score: formatNumber(score, { maximumFractionDigits: 0 }),
            })}
          </List.Item>
        ))}
      </List>
    </Section>
  );
}

/** One company with its officers and owners, and how they were screened. */
export default function CompanyPage() {
  const { t } = useTranslation('kyb');
  const id = usePageParam('checkId');
  const interval = useRefreshInterval(POLL_MS);
  const { data, error } = useQuery({
    ...identityQuery('getKybCheck', [id], (options) => identity.getKybCheck(id, {}, options)),
    refetchInterval: ({ state }) => (state.data?.check.status === 'processing' ? interval : false),
  });
  const check = data?.check;
  return (
    <Page title={check?.company?.legalName ?? check?.query.companyName ?? t('company')}>
      <Failure error={error} />
      {check === undefined && error === null && <Loader aria-label={t('company')} />}
      {check !== undefined && (
        <Stack>
          <Text role="status">
            {t(`status.${check.status}`)}
            {check.dataAt !== null && ` · ${t('dataAt', { at: formatDateTime(check.dataAt) })}`}
          </Text>
          <RisksSection risks={check.risks} />
          <SimpleGrid type="container" cols={{ base: 1, '800px': 2 }}>
            <CompanySection check={check} />
            <PeopleSection check={check} />
            {check.aml !== null && <ScreeningSection aml={check.aml} />}
            <Section title={t('sources')}>
              <List size="sm">
                {check.sources.map(({ provider, status, reason }) => (
                  <List.Item key={provider}>
                    {t(`providers.${provider}`)} · {t(`source.${status}`)}
                    {reason !== null && (
                      <>
                        {' '}
                        (<FailureReason code={reason} />)
                      </>
                    )}
                  </List.Item>
                ))}
              </List>
            </Section>
          </SimpleGrid>
        </Stack>
      )}
    </Page>
  );
}
