import { Button, Group, Stack, Text, Textarea, Timeline } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { identity, identityQuery } from '../../../shared/api/identity';
import { formatDateTime } from '../../../shared/format';
import { Failure } from '../../components/failure';
import { usePageForm } from '../../components/use-page-form';
import { useRefreshInterval } from '../../components/use-refresh-interval';
import { useSession } from '../../session';
import { Section } from './section';
import { FOLLOW_MS, isOpen, useRefreshSessions } from './session';
import type { Session } from './session';
import { useRiskText } from './use-risk-text';
import './texts';

interface Happening {
  /** Where time and title do not identify it. */
  key?: string;
  at: string;
  title: string;
  detail?: string;
}

const MAX_CHECKS = 100;

/** The checks of a session, read again while the person can capture something. */
function useChecks(session: Session): Happening[] {
  const { t } = useTranslation('sessions');
  const interval = useRefreshInterval(isOpen(session) && FOLLOW_MS);
  const query = { sessionId: session.id, limit: MAX_CHECKS };
  const { data } = useQuery({
    ...identityQuery('listChecks', [query], (options) => identity.listChecks(query, options)),
    enabled: useSession().identity.has('checks:read'),
    refetchInterval: interval,
  });
  return (data?.checks ?? []).map(({ kind, createdAt, completedAt, status, outcome }) => ({
    at: completedAt ?? createdAt,
    title: t(`checkKind.${kind}`),
    detail: t(status === 'completed' && outcome !== null ? `verdict.${outcome}` : `checkStatus.${status}`),
  }));
}

function useDecisions(session: Session): Happening[] {
  const { t } = useTranslation('sessions');
  const reviews = session.reviews.map(({ at, by, byName, decision, reason, comment }) => ({
    at,
    title: t(`decision.${decision}.done`, { number: session.number }),
    detail: [byName ?? by, reason, comment].filter((text) => text !== null).join(' · '),
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

const MAX_NOTE_LENGTH = 5000;

/** Adds a note, which decides nothing. */
function NoteForm({ sessionId }: { sessionId: string }) {
  const { t } = useTranslation('sessions');
  const refresh = useRefreshSessions();
  const { form, onSubmit, isPending, failure } = usePageForm({
    initialValues: { text: '' },
    submit: ({ text }) => identity.addSessionNote(sessionId, { text }),
    onDone: async () => {
      form.reset();
      await refresh();
    },
  });
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="xs" mt="md">
        <Failure error={failure} />
        <Textarea
          label={t('note.label')}
          description={t('note.hint')}
          required
          autosize
          minRows={2}
          maxLength={MAX_NOTE_LENGTH}
          {...form.getInputProps('text')}
        />
        <Group>
          <Button type="submit" variant="default" loading={isPending}>
            {t('note.add')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** What happened in a session, first to last, with the notes of its reviewers. */
export function TimelineSection({ session, isReadOnly }: { session: Session; isReadOnly: boolean }) {
  const { t } = useTranslation('sessions');
  const checks = useChecks(session);
  const decisions = useDecisions(session);
  const mayNote = useSession().identity.has('sessions:decide') && !isReadOnly;
  const notes = session.notes.map(({ id, at, by, byName, text }) => ({
    key: id,
    at,
    title: t('note.title', { by: byName ?? by }),
    detail: text,
  }));
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
    ...notes,
  ].sort((one, other) => one.at.localeCompare(other.at));
  return (
    <Section title={t('timeline.title')}>
      <Timeline bulletSize={14} lineWidth={2}>
        {happenings.map(({ key, at, title, detail }) => (
          <Timeline.Item key={key ?? `${at}.${title}`} title={title}>
            {detail !== undefined && (
              <Text size="sm" dir="auto" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}>
                {detail}
              </Text>
            )}
            <Text size="xs" c="dimmed">
              {formatDateTime(at)}
            </Text>
          </Timeline.Item>
        ))}
      </Timeline>
      {mayNote && <NoteForm sessionId={session.id} />}
    </Section>
  );
}
