import { Badge, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import type { MantineColor } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { formatDate, formatNumber } from '../../../shared/format';
import { HitList } from '../aml/hit-list';
import { Facts } from './facts';
import { Section } from './section';
import { isOpen } from './session';
import type { Session } from './session';
import { SessionFile } from './session-file';
import { useFieldName } from './use-field-name';
import './texts';

type StepStatus = Session['steps'][number]['status'];

const STEP_COLORS: Readonly<Record<StepStatus, MantineColor>> = {
  not_run: 'gray',
  processing: 'blue',
  passed: 'green',
  review: 'yellow',
  retry: 'orange',
  exhausted: 'red',
  declined: 'red',
};

/** The steps of a session with their attempts. */
export function StepsSection({ session }: { session: Session }) {
  const { t } = useTranslation('sessions');
  return (
    <Section title={t('steps.title')}>
      <Stack gap="xs">
        {session.steps.map(({ feature, status, attempts, attemptsLeft }) => (
          <Group key={feature} justify="space-between">
            <Text size="sm">{t(`feature.${feature}`)}</Text>
            <Group gap="xs">
              <Text size="xs" c="dimmed">
                {t(isOpen(session) ? 'steps.attempts' : 'steps.attemptsMade', { attempts, left: attemptsLeft })}
              </Text>
              <Badge color={STEP_COLORS[status]} variant="light" tt="none">
                {t(`stepStatus.${status}`)}
              </Badge>
            </Group>
          </Group>
        ))}
      </Stack>
    </Section>
  );
}

interface AddressSectionProps {
  session: Session;
  showPictures: boolean;
  poa: NonNullable<Session['results']['poa']>;
}

/** What was read from the proof of address, and the proof itself. */
function AddressSection({ session, poa, showPictures }: AddressSectionProps) {
  const { t } = useTranslation('sessions');
  const files = showPictures ? session.evidence.filter(({ checkId }) => checkId === poa.checkId) : [];
  return (
    <Section title={t('feature.poa')}>
      {files.map((file) => (
        <SessionFile key={file.id} sessionId={session.id} file={file} label={t('files.proof')} />
      ))}
      <Facts
        facts={[
          [t('poa.type'), t(`poa.types.${poa.documentType}`)],
          [t('poa.issuer'), poa.issuer],
          [t('poa.issueDate'), poa.issueDate === null ? null : formatDate(poa.issueDate)],
          [t('poa.name'), poa.name],
          [t('poa.address'), poa.address?.raw],
        ]}
      />
    </Section>
  );
}

function AgeSection({ age }: { age: NonNullable<Session['results']['age']> }) {
  const { t } = useTranslation('sessions');
  return (
    <Section title={t('feature.age')}>
      <Facts
        facts={[
          [t('age.estimate'), age.age === null ? null : formatNumber(age.age, { maximumFractionDigits: 1 })],
          [t('age.minimum'), age.minimumAge],
          [t('age.meets'), age.meetsMinimumAge === null ? null : t(`age.answers.${age.meetsMinimumAge}`)],
          [
            t('age.error'),
            age.meanAbsoluteError === null ? null : formatNumber(age.meanAbsoluteError, { maximumFractionDigits: 1 }),
          ],
        ]}
      />
    </Section>
  );
}

function DatabaseSection({ database }: { database: NonNullable<Session['results']['database']> }) {
  const { t } = useTranslation('sessions');
  const nameOf = useFieldName();
  return (
    <Section title={t('feature.database')}>
      <Facts
        facts={[
          [t('database.match'), database.matchType === null ? null : t(`database.types.${database.matchType}`)],
          ...database.validations.map(
            ({ field, status }) => [nameOf(field), t(`database.statuses.${status}`)] as const,
          ),
        ]}
      />
    </Section>
  );
}

interface OtherResultsProps {
  session: Session;
  showPictures: boolean;
  /** Whether hits cannot be reviewed here. */
  isReadOnly: boolean;
}

/** Results of the features that have neither an identity document nor a face to show. */
export function OtherResults({ session, showPictures, isReadOnly }: OtherResultsProps) {
  const { t } = useTranslation('sessions');
  const { poa, age, database, aml } = session.results;
  if (poa === null && age === null && database === null && aml === null) return null;
  return (
    <SimpleGrid type="container" cols={{ base: 1, '800px': 2 }}>
      {poa !== null && <AddressSection session={session} poa={poa} showPictures={showPictures} />}
      {age !== null && <AgeSection age={age} />}
      {database !== null && <DatabaseSection database={database} />}
      {aml !== null && (
        <Section title={t('feature.aml')}>
          <HitList hits={aml.hits} isReadOnly={isReadOnly} />
        </Section>
      )}
    </SimpleGrid>
  );
}
