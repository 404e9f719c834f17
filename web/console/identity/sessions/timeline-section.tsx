import { Text, Timeline } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { identity, identityQuery } from '../../../shared/api/identity';
import { formatDateTime } from '../../../shared/format';
import { useSession } from '../../session';
import { Section } from './section';
import type { Session } from './session';
import { useRiskText } from './use-risk-text';
import './texts';

interface Happening {
  at: string;
  title: string;
  detail?: string;
}

const MAX_CHECKS = 100;

function useChecks(sessionId: string): Happening[] {
  const { t } = useTranslation('sessions');
  const query = { sessionId, limit: MAX_CHECKS };
  const { data } = useQuery({
    ...identityQuery('listChecks', [query], (options) => identity.listChecks(query, options)),
    enabled: useSession().identity.has('checks:read'),
  });
  return (data?.checks ?? []).map(({ kind, createdAt, completedAt, status, outcome }) => ({
    at: completedAt ?? createdAt,
    title: t(`checkKind.${kind}`),
    detail: t(status === 'completed' && outcome !== null ? `verdict.${outcome}` : `checkStatus.${status}`),
  }));
}

function useDecisions(session: Session): Happening[] {
  const { t } = useTranslation('sessions');
  const reviews = session.reviews.map(({ at, by, decision, reason, comment }) => ({
    at,
    title: t(`decision.${decision}.done`, { number: session.number }),
    detail: [by, reason, comment].filter((text) => text !== null).join(' · '),
  }));
  const describe = useRiskText();
  const { decision } = session;
  if (decision?.decidedBy !== 'rules') return reviews;
  const rule = decision.rule === null ? t('timeline.rules') : t('timeline.rule', { rule: decision.rule });
  return [
    ...reviews,
    {
      at: decision.at,
      title: t(`status.${decision.outcome}`),
      detail: [rule, ...decision.reasons.map((code) => describe(code))].join(' · '),
    },
  ];
}

/** What happened in a session, first to last, with the notes of its reviewers. */
export function TimelineSection({ session }: { session: Session }) {
  const { t } = useTranslation('sessions');
  const checks = useChecks(session.id);
  const decisions = useDecisions(session);
  const moments: [string | null, string][] = [
    [session.createdAt, t('timeline.created')],
    [session.startedAt, t('timeline.started')],
    [session.finishedAt, t('timeline.finished')],
    [session.approvalExpiresAt, t('timeline.approvalExpires')],
    [session.retainUntil, t('timeline.erasure')],
  ];
  const happenings = [
    ...moments.flatMap(([at, title]): Happening[] => (at === null ? [] : [{ at, title }])),
    ...checks,
    ...decisions,
  ].sort((one, other) => one.at.localeCompare(other.at));
  return (
    <Section title={t('timeline.title')}>
      <Timeline bulletSize={14} lineWidth={2}>
        {happenings.map(({ at, title, detail }) => (
          <Timeline.Item key={`${at}.${title}`} title={title}>
            {detail !== undefined && <Text size="sm">{detail}</Text>}
            <Text size="xs" c="dimmed">
              {formatDateTime(at)}
            </Text>
          </Timeline.Item>
        ))}
      </Timeline>
    </Section>
  );
}
