import { Badge, Group, List, Loader, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { identity, identityQuery } from '../../../shared/api/identity';
import { formatDateTime } from '../../../shared/format';
import { Failure } from '../../components/failure';
import { Page } from '../../components/page';
import { usePageParam } from '../../components/use-page-search';
import { Facts } from '../sessions/facts';
import { Section } from '../sessions/section';
import { HitList } from './hit-list';
import './texts';
import { useListName } from './use-list-name';

/** One screening with its hits and the versions of the lists that were searched. */
export default function ScreeningPage() {
  const { t } = useTranslation('aml');
  const getListName = useListName();
  const id = usePageParam('screeningId');
  const { data, error } = useQuery(
    identityQuery('getAmlScreening', [id], (options) => identity.getAmlScreening(id, {}, options)),
  );
  return (
    <Page title={t('screening')}>
      <Failure error={error} />
      {data === undefined && error === null && <Loader aria-label={t('screening')} />}
      {data !== undefined && (
        <Stack>
          <Section title={t('hits')}>
            {'hits' in data ? <HitList hits={data.hits} /> : t(`statuses.${data.screening.status}`)}
          </Section>
          <Section title={t('listsSearched')}>
            <Facts
              facts={[
                [t('id'), data.screening.id],
                [t('createdAt'), formatDateTime(data.screening.createdAt)],
                [t('threshold'), data.screening.threshold],
              ]}
            />
            <List size="sm" mt="sm">
              {data.screening.listsSearched.map(({ list, title, version, importedAt, stale }) => (
                <List.Item key={list}>
                  <Group gap="xs">
                    {getListName(list, title)} · {version} · {formatDateTime(importedAt)}
                    {stale && (
                      <Badge color="yellow" variant="light" tt="none">
                        {t('staleList')}
                      </Badge>
                    )}
                  </Group>
                </List.Item>
              ))}
            </List>
          </Section>
        </Stack>
      )}
    </Page>
  );
}
