import { Alert, Button, Grid, Group, Kbd, Loader, Modal, NavLink, Stack, Switch, Text } from '@mantine/core';
import { useHotkeys, useLocalStorage } from '@mantine/hooks';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
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
function useShortcuts(
  enabled: boolean,
  move: (step: 1 | -1) => void,
  decide: (decision: ReviewDecision) => void,
): void {
  const actions: Readonly<Record<(typeof KEYS)[number][1], () => void>> = {
    next: () => move(1),
    previous: () => move(-1),
    approve: () => decide('approve'),
    decline: () => decide('decline'),
    resubmit: () => decide('resubmit'),
  };
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

/** What identifies a session to its reviewer. */
type Choice = Pick<PendingSession, 'id' | 'number'>;

/** The selected session is not in the queue any more: another one takes its place only when the reviewer asks for it. */
function NoLongerWaiting({ number, onNext }: { number: number; onNext: () => void }) {
  const { t } = useTranslation('sessions');
  return (
    <Alert color="yellow" role="status" title={t('review.gone', { number })}>
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{t('review.goneText')}</Text>
        <Button variant="default" onClick={onNext}>
          {t('review.nextSession')}
        </Button>
      </Stack>
    </Alert>
  );
}

interface SelectedProps {
  id: string;
  onDecide: (decision: ReviewDecision, session: Choice) => void;
  onErased: () => void;
  /** Selects the session that has the place of this one in the queue. */
  onNext: () => void;
}

function Selected({ id, onDecide, onErased, onNext }: SelectedProps) {
  const { t } = useTranslation('sessions');
  const { data, error } = useQuery(sessionQuery(id));
  if (error !== null)
    return (
      <Stack align="flex-start">
        <Failure error={error} />
        <Button variant="default" onClick={onNext}>
          {t('review.nextSession')}
        </Button>
      </Stack>
    );
  if (data === undefined) return <Loader aria-label={t('session')} />;
  const session = data.record;
  if (session.status !== 'in_review') return <NoLongerWaiting number={session.number} onNext={onNext} />;
  return (
    <Stack>
      <Group justify="space-between">
        <Text fw={600}>{t('sessionNumber', { number: session.number })}</Text>
        <SessionActions shown={data} onDecide={(decision) => onDecide(decision, session)} onErased={onErased} />
      </Group>
      <SessionView key={session.id} session={session} />
    </Stack>
  );
}

interface QueuedDecisionProps {
  session: Choice;
  decision: ReviewDecision;
  onDecided: () => void;
  onClose: () => void;
}

/** Decides a session of the queue once it has been read: the decision is made on the state that the page shows. */
function QueuedDecision({ session: { id, number }, decision, onDecided, onClose }: QueuedDecisionProps) {
  const { t } = useTranslation('sessions');
  const { data, error } = useQuery(sessionQuery(id));
  if (data !== undefined)
    return <DecisionDialog shown={data} decision={decision} onDecided={onDecided} onClose={onClose} />;
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

/** Reads a selected session again once it is not in the queue any more, which says what has become of it. */
function useFollowing(id: string | undefined, isListed: boolean): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (id !== undefined && !isListed) void queries.invalidateQueries({ queryKey: sessionQuery(id).queryKey });
  }, [queries, id, isListed]);
}

/**
 * Selection of a session in the queue, also by keyboard. It is in the address from the beginning, so that the queue never
 * puts another session in place of the one that is shown.
 *
 * @param sessions undefined until they are read
 */
function useSelection(sessions: readonly PendingSession[] | undefined) {
  const [search, change] = usePageSearch(searchSchema);
  const { session: id } = search;
  const index = sessions?.findIndex((session) => session.id === id) ?? -1;
  const lastIndex = useRef(0);
  const select = (next: string | undefined): void => change({ session: next }, { replace: true });
  const first = sessions?.[0]?.id;
  const selectFirst = useEffectEvent(() => select(first));
  useEffect(() => {
    if (index >= 0) lastIndex.current = index;
  }, [index]);
  useEffect(() => {
    if (id === undefined && first !== undefined) selectFirst();
  }, [id, first]);
  useFollowing(id, index >= 0 || sessions === undefined);
  const move = (step: number): void => {
    const next = sessions?.[index + step];
    if (index >= 0 && next !== undefined) select(next.id);
  };
  /** In a queue without the selected session, the following one has its place. */
  const goOn = (): void => select((sessions?.[lastIndex.current] ?? sessions?.at(-1))?.id);
  /** Selects what follows a session that leaves the queue, else what is before it. */
  const leave = (decided: string): void => {
    // Another one may have been selected while the dialog was open.
    if (decided !== id) return;
    if (index < 0) goOn();
    else if ((sessions?.length ?? 0) > 1) move(sessions?.[index + 1] === undefined ? -1 : 1);
  };
  return { search, change, id, current: sessions?.[index], select, move, leave, goOn };
}

type ReviewSearch = z.output<typeof searchSchema>;

interface QueueColumnProps extends Omit<QueueProps, 'sessions'> {
  page: OperationResponse<'listPendingSessions'>;
  search: ReviewSearch;
  change: (part: Partial<ReviewSearch>) => void;
  isPlaceholderData: boolean;
}

/** How many sessions wait, one page of them, and the way to the other pages. */
function QueueColumn({ page, search, change, isPlaceholderData, ...queue }: QueueColumnProps) {
  const { t } = useTranslation('sessions');
  const { sessions, total, nextCursor } = page;
  return (
    <Stack>
      <Text size="sm" role="status">
        {t('review.total', { count: total, total: formatNumber(total) })}
      </Text>
      <Queue sessions={sessions} {...queue} />
      <CursorPager
        search={search}
        change={(position) => change({ ...position, session: undefined })}
        page={{ count: sessions.length, total, nextCursor }}
        isPlaceholderData={isPlaceholderData}
      />
    </Stack>
  );
}

/** Sessions that wait for a reviewer, longest waiting first; all of it works without a mouse. */
export default function ReviewPage() {
  const { t } = useTranslation('sessions');
  const mayDecide = useSession().identity.has('sessions:decide');
  const [{ cursor }] = usePageSearch(searchSchema);
  const [shortcuts, setShortcuts] = useLocalStorage({ key: 'vouch-console-shortcuts', defaultValue: true });
  // The session is that for which the dialog was opened, even if the queue changes meanwhile.
  const [dialog, setDialog] = useState<{ decision: ReviewDecision; session: Choice } | null>(null);
  const query = cursor === undefined ? {} : { cursor };
  const { data, error, isPlaceholderData } = useQuery({
    ...identityQuery('listPendingSessions', [query], (options) => identity.listPendingSessions(query, options)),
    placeholderData: keepPreviousData,
    refetchInterval: useRefreshInterval(REFRESH_MS),
  });
  const { search, change, id, current, select, move, leave, goOn } = useSelection(
    isPlaceholderData ? undefined : data?.sessions,
  );
  const sessions = data?.sessions ?? [];
  const decide = (decision: ReviewDecision): void => {
    if (mayDecide && current !== undefined) setDialog({ decision, session: current });
  };
  // Without the selected session in the queue, a key would decide another one than the reviewer has looked at.
  useShortcuts(shortcuts && current !== undefined, move, decide);
  return (
    <Page title={t('review.title')}>
      <Failure error={error} />
      <ShortcutSwitch enabled={shortcuts} onChange={setShortcuts} />
      {data !== undefined && sessions.length === 0 && (
        <EmptyQueue first={data.total > 0 ? goToFirst({ search, change }) : undefined} />
      )}
      {data !== undefined && sessions.length > 0 && (
        <Grid>
          <Grid.Col span={{ base: 12, lg: 3 }}>
            <QueueColumn
              page={data}
              search={search}
              change={change}
              isPlaceholderData={isPlaceholderData}
              selected={id}
              onSelect={select}
            />
          </Grid.Col>
          <Grid.Col span={{ base: 12, lg: 9 }}>
            {id !== undefined && (
              <Selected
                key={id}
                id={id}
                onDecide={(decision, session) => setDialog({ decision, session })}
                onErased={() => leave(id)}
                onNext={goOn}
              />
            )}
          </Grid.Col>
        </Grid>
      )}
      {dialog !== null && (
        <QueuedDecision {...dialog} onDecided={() => leave(dialog.session.id)} onClose={() => setDialog(null)} />
      )}
    </Page>
  );
}
