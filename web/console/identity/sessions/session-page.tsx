import { Group, Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Failure } from '../../components/failure';
import { Page } from '../../components/page';
import { usePageParam } from '../../components/use-page-search';
import { useRefreshInterval } from '../../components/use-refresh-interval';
import { DecisionDialog } from './decision-dialog';
import { FOLLOW_MS, isOpen } from './session';
import type { ReviewDecision } from './session';
import { SessionActions } from './session-actions';
import { sessionQuery } from './session-query';
import { SessionView } from './session-view';
import { StatusBadge } from './status-badge';
import './texts';

/** One session, followed while the person can capture something. */
export default function SessionPage() {
  const { t } = useTranslation('sessions');
  const id = usePageParam('sessionId');
  const navigate = useNavigate();
  const interval = useRefreshInterval(FOLLOW_MS);
  const { data, error } = useQuery({
    ...sessionQuery(id),
    refetchInterval: ({ state }) => (state.data !== undefined && isOpen(state.data.record) ? interval : false),
  });
  // Of another session once the address has changed; then no dialog is open.
  const [chosen, setChosen] = useState<{ id: string; decision: ReviewDecision } | null>(null);
  const session = data?.record;
  return (
    <Page
      title={session === undefined ? t('session') : t('sessionNumber', { number: session.number })}
      actions={
        data !== undefined && (
          <SessionActions
            shown={data}
            onDecide={(decision) => setChosen({ id, decision })}
            onErased={() => void navigate({ to: '/sessions' })}
          />
        )
      }
    >
      <Failure error={error} />
      {session === undefined && error === null && <Loader aria-label={t('session')} />}
      {session !== undefined && (
        <>
          <Group>
            <StatusBadge status={session.status} />
          </Group>
          <SessionView session={session} />
        </>
      )}
      {data !== undefined && chosen?.id === id && (
        <DecisionDialog key={id} shown={data} decision={chosen.decision} onClose={() => setChosen(null)} />
      )}
    </Page>
  );
}
