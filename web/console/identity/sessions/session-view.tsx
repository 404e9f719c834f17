import { Alert, Anchor, Code, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { formatDateTime } from '../../../shared/format';
import { getCountryName } from '../../components/country-name';
import { useSession } from '../../session';
import { DocumentSection } from './document-section';
import { FacesSection } from './faces-section';
import { Facts } from './facts';
import { FilesSection } from './files-section';
import { OtherResults, StepsSection } from './results-section';
import { RisksSection } from './risks-section';
import { Section } from './section';
import type { Session } from './session';
import { TimelineSection } from './timeline-section';
import { useRiskText } from './use-risk-text';
import { useWorkflowName } from './use-workflow-choices';
import './texts';

/** The session workflow by which a session is decided, with its version. */
function Workflow({ workflowId, workflowVersion }: Pick<Session, 'workflowId' | 'workflowVersion'>) {
  const name = useWorkflowName(workflowId);
  return name === null ? <Skeleton h={20} /> : `${name} · ${workflowVersion ?? ''}`;
}

function DetailsSection({ session }: { session: Session }) {
  const { t } = useTranslation('sessions');
  const { temporalUi } = useSession();
  const asText = (value: object | null) =>
    value === null || Object.keys(value).length === 0 ? null : <Code block>{JSON.stringify(value, null, 2)}</Code>;
  return (
    <Section title={t('details.title')}>
      <Facts
        facts={[
          [t('details.id'), session.id],
          [t('externalId'), session.externalId],
          [t('country'), session.country && getCountryName(session.country)],
          [t('details.language'), session.language],
          [t('details.expected'), asText(session.expected)],
          [t('details.contact'), asText(session.contact)],
          [t('details.metadata'), asText(session.metadata)],
          [t('details.workflow'), session.workflowId && <Workflow key="workflow" {...session} />],
          [t('details.callback'), session.callbackUrl],
          [t('details.expires'), session.startedAt === null ? formatDateTime(session.expiresAt) : null],
        ]}
      />
      {temporalUi !== null && (
        <Anchor href={`${temporalUi}/workflows/${session.id}`} target="_blank" rel="noreferrer" size="sm">
          {t('details.temporal')}
        </Anchor>
      )}
    </Section>
  );
}

interface SessionViewProps {
  session: Session;
  /** Whether hits cannot be reviewed and notes cannot be added here. @default false */
  isReadOnly?: boolean;
}

/** Everything about a session: what was captured, what was found, and what happened. */
export function SessionView({ session, isReadOnly = false }: SessionViewProps) {
  const { t } = useTranslation('sessions');
  const describe = useRiskText();
  const showPictures = useSession().identity.has('evidence:read');
  return (
    <Stack>
      {session.decision !== null && session.status === 'in_review' && (
        <Alert color="yellow" title={t('reviewReasons', { count: session.decision.reasons.length })}>
          {session.decision.reasons.map((code) => describe(code)).join(' ')}
        </Alert>
      )}
      <RisksSection risks={session.risks} />
      <DocumentSection session={session} showPictures={showPictures} />
      <FacesSection session={session} showPictures={showPictures} />
      <OtherResults session={session} showPictures={showPictures} isReadOnly={isReadOnly} />
      {showPictures && <FilesSection session={session} />}
      <SimpleGrid type="container" cols={{ base: 1, '800px': 2 }}>
        <Stack>
          <StepsSection session={session} />
          <DetailsSection session={session} />
        </Stack>
        <TimelineSection session={session} isReadOnly={isReadOnly} />
      </SimpleGrid>
      {showPictures && session.evidence.length > 0 && (
        <Text size="sm" c="dimmed">
          {t('audited')}
        </Text>
      )}
    </Stack>
  );
}
