import { Grid, Group, Kbd, Loader, Modal, NavLink, Stack, Switch, Text } from '@mantine/core';
import { useHotkeys, useLocalStorage } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OperationResponse } from '../../../../clients/typescript/src/calls';
import { identity, identityQuery } from '../../../shared/api/identity';
import { formatNumber, formatRelative } from '../../../shared/format';
import { EmptyList } from '../../components/empty-list';
import { Failure } from '../../components/failure';
import { cursorSearch, textFilter } from '../../components/list-search';
import { Page } from '../../components/page';
import { CursorPager, goToFirst } from '../../components/pager';
import { usePageSearch } from '../../components/use-page-search';
import { useRefreshInterval } from '../../components/use-refresh-interval';
import { useSession } from '../../session';
import { DecisionDialog } from './decision-dialog';
import type { ReviewDecision } from './session';
import { SessionActions } from './session-actions';
import { sessionQuery } from './session-query';
import { SessionView } from './session-view';
import { useRiskText } from './use-risk-text';
import './texts';

type PendingSession = OperationResponse<'listPendingSessions'>['sessions'][number];

const searchSchema = cursorSearch.extend({ session: textFilter });

/** Time between two looks for sessions that have come or that colleagues have decided. */
const REFRESH_MS = 15_000;

const KEYS = [
  ['J', 'next'],
  ['K', 'previous'],
  ['A', 'approve'],
  ['D', 'decline'],
  ['R', 'resubmit'],
] as const;

/** A dialog or an open menu, of whichever part of the page. */
const COVERING = '[role=dialog], [role=alertdialog], [role=menu]';

/** What a shortcut does concerns the queue, so that none works behind a dialog that covers it. */
function useShortcuts(enabled: boolean, actions: Readonly<Record<(typeof KEYS)[number][1], () => void>>): void {
  const hotkeys = KEYS.map(([key, name]): [string, () => void] => [
    key,
    () => {
      if (document.querySelector(COVERING) === null) actions[name]();
    },
  ]);
  useHotkeys(enabled ? hotkeys : []);
}

/** Keys that consist of one character can be switched off (WCAG 2.2, 2.1.4). */
function ShortcutSwitch({ enabled, onChange }: { enabled: boolean; onChange: (enabled: boolean) => void }) {
  const { t } = useTranslation('sessions');
  return (
    <Group gap="md">
      <Switch
        label={t('review.shortcuts')}
        checked={enabled}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      {enabled &&
        KEYS.map(([key, name]) => (
          <Group key={key} gap={4} visibleFrom="sm">
            <Kbd>{key}</Kbd>
            <Text size="xs">{t(`review.keys.${name}`)}</Text>
          </Group>
        ))}
    </Group>
  );
}

interface QueueProps {
  sessions: readonly PendingSession[];
  selected: string | undefined;
  onSelect: (id: string) => void;
}

function Queue({ sessions, selected, onSelect }: QueueProps) {
  const { t } = useTranslation('sessions');
  const describe = useRiskText();
  return (
    <Stack gap={2} component="nav" aria-label={t('review.title')}>
      {sessions.map(({ id, number, externalId, reviewSince, risks }) => (
        <NavLink
          key={id}
          component="button"
          active={id === selected}
          aria-current={id === selected ? 'true' : undefined}
          onClick={() => onSelect(id)}
          label={`${number}${externalId === null ? '' : ` · ${externalId}`}`}
          description={[
            ...(reviewSince === null ? [] : [t('review.waiting', { since: formatRelative(reviewSince) })]),
            ...risks.map(({ code, message }) => describe(code, message)),
          ].join(' ')}
        />
      ))}
    </Stack>
  );
}

interface SelectedProps {
  id: string;
  onDecide: (decision: ReviewDecision) => void;
  onErased: () => void;
}

function Selected({ id, onDecide, onErased }: SelectedProps) {
  const { t } = useTranslation('sessions');
  const { data, error } = useQuery(sessionQuery(id));
  if (error !== null) return <Failure error={error} />;
  if (data === undefined) return <Loader aria-label={t('session')} />;
  const session = data.record;
  return (
    <Stack>
      <Group justify="space-between">
        <Text fw={600}>{t('sessionNumber', { number: session.number })}</Text>
        <SessionActions shown={data} onDecide={onDecide} onErased={onErased} />
      </Group>
      <SessionView key={session.id} session={session} />
    </Stack>
  );
}

interface QueuedDecisionProps {
  session: PendingSession;
  decision: ReviewDecision;
  onClose: () => void;
}

/** Decides a session of the queue once it has been read: the decision is made on the state that the page shows. */
function QueuedDecision({ session: { id, number }, decision, onClose }: QueuedDecisionProps) {
  const { t } = useTranslation('sessions');
  const { data, error } = useQuery(sessionQuery(id));
  if (data !== undefined) return <DecisionDialog shown={data} decision={decision} onClose={onClose} />;
  return (
    <Modal opened onClose={onClose} title={t(`decision.${decision}.title`, { number })}>
      {error === null ? <Loader aria-label={t('session')} /> : <Failure error={error} />}
    </Modal>
  );
}

/** No session waits, or none of this page of the queue does any more. */
function EmptyQueue({ first }: { first: (() => void) | undefined }) {
  const { t } = useTranslation('sessions');
  return (
    <EmptyList isFiltered={false} reset={() => undefined} goToFirst={first}>
      <Text>{t('review.empty')}</Text>
    </EmptyList>
  );
}

/** Selection of a session in the queue, also by keyboard. */
function useSelection(sessions: readonly PendingSession[]) {
  const [search, change] = usePageSearch(searchSchema);
  const index = Math.max(
    0,
    sessions.findIndex(({ id }) => id === search.session),
  );
  const current = sessions[index];
  const select = (id: string | undefined): void => change({ session: id }, { replace: true });
  const move = (step: number): void => {
    const next = sessions[index + step];
    if (next !== undefined) select(next.id);
  };
  return { search, change, current, select, move };
}

/** Sessions that wait for a reviewer, longest waiting first; all of it works without a mouse. */
export default function ReviewPage() {
  const { t } = useTranslation('sessions');
  const mayDecide = useSession().identity.has('sessions:decide');
  const [{ cursor }] = usePageSearch(searchSchema);
  const [shortcuts, setShortcuts] = useLocalStorage({ key: 'vouch-console-shortcuts', defaultValue: true });
  // The session is that for which the dialog was opened, even if the queue changes meanwhile.
  const [dialog, setDialog] = useState<{ decision: ReviewDecision; session: PendingSession } | null>(null);
  const query = cursor === undefined ? {} : { cursor };
  const { data, error, isPlaceholderData } = useQuery({
    ...identityQuery('listPendingSessions', [query], (options) => identity.listPendingSessions(query, options)),
    placeholderData: keepPreviousData,
    refetchInterval: useRefreshInterval(REFRESH_MS),
  });
  const sessions = data?.sessions ?? [];
  const { search, change, current, select, move } = useSelection(sessions);
  const decide = (decision: ReviewDecision): void => {
    if (mayDecide && current !== undefined) setDialog({ decision, session: current });
  };
  useShortcuts(shortcuts, {
    next: () => move(1),
    previous: () => move(-1),
    approve: () => decide('approve'),
    decline: () => decide('decline'),
    resubmit: () => decide('resubmit'),
  });
  return (
    <Page title={t('review.title')}>
      <Failure error={error} />
      <ShortcutSwitch enabled={shortcuts} onChange={setShortcuts} />
      {data !== undefined && current === undefined && (
        <EmptyQueue first={data.total > 0 ? goToFirst({ search, change }) : undefined} />
      )}
      {current !== undefined && (
        <Grid>
          <Grid.Col span={{ base: 12, lg: 3 }}>
            <Stack>
              <Text size="sm" role="status">
                {t('review.total', { count: data?.total ?? 0, total: formatNumber(data?.total ?? 0) })}
              </Text>
              <Queue sessions={sessions} selected={current.id} onSelect={select} />
              <CursorPager
                search={search}
                change={(position) => change({ ...position, session: undefined })}
                page={data && { count: data.sessions.length, total: data.total, nextCursor: data.nextCursor }}
                isPlaceholderData={isPlaceholderData}
              />
            </Stack>
          </Grid.Col>
          <Grid.Col span={{ base: 12, lg: 9 }}>
            <Selected key={current.id} id={current.id} onDecide={decide} onErased={() => select(undefined)} />
          </Grid.Col>
        </Grid>
      )}
      {dialog !== null && <QueuedDecision {...dialog} onClose={() => setDialog(null)} />}
    </Page>
  );
}
