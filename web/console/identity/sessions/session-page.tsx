import { Group, Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { identity, identityQuery } from '../../../shared/api/identity';
import { Failure } from '../../components/failure';
import { Page } from '../../components/page';
import { usePageParam } from '../../components/use-page-search';
import { useRefreshInterval } from '../../components/use-refresh-interval';
import { FOLLOW_MS, isOpen } from './session';
import { SessionActions } from './session-actions';
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
    ...identityQuery('getSession', [id], (options) => identity.getSession(id, options)),
    refetchInterval: ({ state }) => (state.data !== undefined && isOpen(state.data.session) ? interval : false),
  });
  const session = data?.session;
  return (
    <Page
      title={session === undefined ? t('session') : t('sessionNumber', { number: session.number })}
      actions={
        session !== undefined && (
          <SessionActions session={session} onErased={() => void navigate({ to: '/sessions' })} />
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
    </Page>
  );
}
