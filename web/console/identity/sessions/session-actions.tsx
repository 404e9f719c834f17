import { Button, Group, Menu } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { identity } from '../../../shared/api/identity';
import { ifMatch, isVersionConflict } from '../../../shared/api/versions';
import type { Versioned } from '../../../shared/api/versions';
import { Failure } from '../../components/failure';
import { useConfirm } from '../../components/use-confirm';
import { useSession } from '../../session';
import { EraseDialog } from './erase-dialog';
import { LinkDialog } from './capture-link';
import { isCancellable, isOpen, isShareable, listDecisions, useRefreshSessions } from './session';
import type { ReviewDecision, Session } from './session';
import { ShareDialog } from './share-dialog';
import { toPath } from './use-evidence';
import './texts';

/** Opens the report in a window that was opened by the click, since browsers block those that are opened later. */
async function openReport(id: string): Promise<void> {
  const target = window.open('', '_blank');
  try {
    const { url } = await identity.getSessionReport(id);
    if (target === null) window.location.assign(toPath(url));
    else target.location.replace(toPath(url));
  } catch (error) {
    target?.close();
    throw error;
  }
}

/** Asks, then ends a session without a decision, unless it has changed since it was shown. */
function useCancellation({ record: { id, number }, etag }: Versioned<Session>) {
  const { t } = useTranslation('sessions');
  const confirm = useConfirm();
  const refresh = useRefreshSessions();
  const cancellation = useMutation({
    mutationFn: (shown: string | null) => identity.cancelSession(id, {}, ifMatch(shown)),
    onSuccess: refresh,
    onError: (error) => {
      if (isVersionConflict(error)) void refresh();
    },
  });
  const ask = (): void =>
    confirm({
      title: t('cancel.title', { number }),
      text: t('cancel.text'),
      action: t('cancel.action'),
      onConfirm: () => cancellation.mutate(etag),
    });
  return { ask, error: cancellation.error };
}

type Dialog = 'link' | 'share' | 'erase';

interface MenuProps {
  session: Session;
  onOpen: (dialog: Dialog) => void;
  report: () => void;
  cancel: () => void;
}

function MoreMenu({ session, onOpen, report, cancel }: MenuProps) {
  const { t } = useTranslation('sessions');
  const { t: common } = useTranslation('common');
  const { identity: permissions } = useSession();
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" rightSection={<IconChevronDown size={16} aria-hidden />}>
          {common('more')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={report}>{t('report')}</Menu.Item>
        {permissions.has('sessions:share') && isShareable(session) && (
          <Menu.Item onClick={() => onOpen('share')}>{t('share.action')}</Menu.Item>
        )}
        {permissions.has('sessions:write') && isCancellable(session) && (
          <Menu.Item color="red" onClick={cancel}>
            {t('cancel.action')}
          </Menu.Item>
        )}
        {permissions.has('sessions:delete') && (
          <Menu.Item color="red" onClick={() => onOpen('erase')}>
            {t('erase.action')}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

const COLORS: Readonly<Record<ReviewDecision, string>> = {
  approve: 'green',
  decline: 'red',
  resubmit: 'gray',
  review: 'gray',
};

interface SessionActionsProps {
  shown: Versioned<Session>;
  /** Opens the dialog of a decision, which outlasts these actions: a colleague's decision can remove them. */
  onDecide: (decision: ReviewDecision) => void;
  onErased: () => void;
}

/** What the signed-in user may do with a session. */
export function SessionActions({ shown, onDecide, onErased }: SessionActionsProps) {
  const { t } = useTranslation('sessions');
  const { identity: permissions } = useSession();
  const session = shown.record;
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const report = useMutation({ mutationFn: () => openReport(session.id) });
  const cancellation = useCancellation(shown);
  const close = (): void => setDialog(null);
  const decisions = permissions.has('sessions:decide') ? listDecisions(session) : [];
  return (
    <>
      <Group gap="xs">
        {decisions.map((decision) => (
          <Button
            key={decision}
            variant={COLORS[decision] === 'gray' ? 'default' : 'filled'}
            color={COLORS[decision]}
            onClick={() => onDecide(decision)}
          >
            {t(`decision.${decision}.action`)}
          </Button>
        ))}
        {isOpen(session) && permissions.has('sessions:write') && (
          <Button variant="default" onClick={() => setDialog('link')}>
            {t('link.open')}
          </Button>
        )}
        <MoreMenu session={session} onOpen={setDialog} report={() => report.mutate()} cancel={cancellation.ask} />
      </Group>
      <Failure error={report.error ?? cancellation.error} />
      {dialog === 'link' && <LinkDialog session={session} onClose={close} />}
      {dialog === 'share' && <ShareDialog session={session} onClose={close} />}
      {dialog === 'erase' && <EraseDialog session={session} onClose={close} onErased={onErased} />}
    </>
  );
}
