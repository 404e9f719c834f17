import { Anchor, Badge, Button, Card, Group, List, Modal, Select, Stack, Text, Textarea } from '@mantine/core';
import type { MantineColor } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Body, OperationResponse } from '../../../../clients/typescript/src/calls';
import { identity } from '../../../shared/api/identity';
import { formatDate, formatDateTime, formatIfDay, formatNumber } from '../../../shared/format';
import { getCountryName } from '../../components/country-name';
import { Failure } from '../../components/failure';
import { usePageForm } from '../../components/use-page-form';
import { useSession } from '../../session';
import './texts';
import { useListName } from './use-list-name';

export type Hit = NonNullable<OperationResponse<'getSession'>['session']['results']['aml']>['hits'][number];
type ReviewStatus = Body<'reviewAmlHit'>['status'];

const REVIEW_STATUSES: readonly ReviewStatus[] = ['false_positive', 'confirmed', 'inconclusive'];

const REVIEW_COLORS: Readonly<Record<Hit['reviewStatus'], MantineColor>> = {
  unreviewed: 'gray',
  false_positive: 'green',
  confirmed: 'red',
  inconclusive: 'yellow',
};

function ReviewDialog({ hit, onClose }: { hit: Hit; onClose: () => void }) {
  const { t } = useTranslation('aml');
  const queries = useQueryClient();
  const initialValues: Body<'reviewAmlHit'> = { status: 'false_positive', reason: '' };
  const { form, onSubmit, isPending, failure } = usePageForm({
    initialValues,
    submit: (values) => identity.reviewAmlHit(hit.id, values),
    onDone: async () => {
      notifications.show({ message: t('review.done'), color: 'green' });
      onClose();
      await queries.invalidateQueries({ queryKey: ['identity'] });
    },
  });
  return (
    <Modal opened onClose={onClose} title={t('review.title', { name: hit.caption })}>
      <form onSubmit={onSubmit}>
        <Stack>
          <Failure error={failure} />
          <Select
            label={t('review.status')}
            description={t('review.hint')}
            data={REVIEW_STATUSES.map((value) => ({ value, label: t(`reviewStatus.${value}`) }))}
            allowDeselect={false}
            {...form.getInputProps('status')}
          />
          <Textarea label={t('review.reason')} autosize minRows={2} required {...form.getInputProps('reason')} />
          <Button type="submit" loading={isPending}>
            {t('review.action')}
          </Button>
        </Stack>
      </form>
    </Modal>
  );
}

function HitFacts({ hit }: { hit: Hit }) {
  const { t } = useTranslation('aml');
  const facts: [string, readonly string[]][] = [
    [t('hit.aliases'), hit.aliases],
    [t('hit.datesOfBirth'), hit.datesOfBirth.map(formatIfDay)],
    [t('hit.countries'), hit.countries.map(getCountryName)],
    [t('hit.programs'), hit.programs],
    [t('hit.positions'), hit.positions],
  ];
  return (
    <List size="sm">
      {facts
        .filter(([, values]) => values.length > 0)
        .map(([name, values]) => (
          <List.Item key={name}>
            {name}: {values.join(', ')}
          </List.Item>
        ))}
      {hit.explanation.map(({ part, queryValue, listValue, effect }) => (
        <List.Item key={`${part}.${listValue ?? ''}`}>
          {t(queryValue === null && listValue === null ? 'hit.limited' : 'hit.explained', {
            part: t(`part.${part}`),
            query: formatIfDay(queryValue ?? '–'),
            listed: formatIfDay(listValue ?? '–'),
            effect: formatNumber(effect, { maximumFractionDigits: 1, signDisplay: 'exceptZero' }),
          })}
        </List.Item>
      ))}
    </List>
  );
}

function HitCard({ hit, isReadOnly }: { hit: Hit; isReadOnly: boolean }) {
  const { t } = useTranslation('aml');
  const getListName = useListName();
  const [isReviewing, setReviewing] = useState(false);
  const mayReview = useSession().identity.has('aml:review') && !isReadOnly;
  return (
    <Card withBorder padding="sm">
      <Stack gap="xs">
        <Group justify="space-between" align="start">
          <div>
            <Text fw={600}>{hit.caption}</Text>
            <Text size="sm">
              {t('hit.matched', {
                name: hit.matchedName,
                score: formatNumber(hit.score, { maximumFractionDigits: 0 }),
              })}
            </Text>
            <Text size="xs" c="dimmed" title={`${hit.list}, ${hit.listVersion}`}>
              {t('hit.list', {
                list: getListName(hit.list),
                date: formatDate(hit.lastChanged),
              })}
              {hit.sourceUrl !== null && (
                <>
                  {' · '}
                  <Anchor href={hit.sourceUrl} target="_blank" rel="noreferrer" size="xs">
                    {t('hit.source')}
                  </Anchor>
                </>
              )}
            </Text>
          </div>
          <Badge color={REVIEW_COLORS[hit.reviewStatus]} variant="light" tt="none">
            {t(`reviewStatus.${hit.reviewStatus}`)}
          </Badge>
        </Group>
        <HitFacts hit={hit} />
        {hit.review !== null && (
          <Text size="sm">
            {t('hit.reviewed', { by: hit.review.byName ?? hit.review.by, at: formatDateTime(hit.review.at) })}{' '}
            {hit.review.reason}
          </Text>
        )}
        {mayReview && (
          <Group>
            <Button size="xs" variant="default" onClick={() => setReviewing(true)}>
              {t('review.action')}
            </Button>
          </Group>
        )}
      </Stack>
      {isReviewing && <ReviewDialog hit={hit} onClose={() => setReviewing(false)} />}
    </Card>
  );
}

interface HitListProps {
  hits: readonly Hit[];
  /** Whether hits cannot be reviewed here. @default false */
  isReadOnly?: boolean;
}

/** Entries of watch lists that resemble a person, with what their scores consist of and how they were reviewed. */
export function HitList({ hits, isReadOnly = false }: HitListProps) {
  const { t } = useTranslation('aml');
  if (hits.length === 0) return <Text size="sm">{t('noHits')}</Text>;
  return (
    <Stack>
      {hits.map((hit) => (
        <HitCard key={hit.id} hit={hit} isReadOnly={isReadOnly} />
      ))}
    </Stack>
  );
}
