import { Button, Group, Menu } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { identity } from '../../../shared/api/identity';
import { Failure } from '../../components/failure';
import { useSession } from '../../session';
import { DecisionDialog } from './decision-dialog';
import type { ReviewDecision } from './decision-dialog';
import { EraseDialog } from './erase-dialog';
import { LinkDialog } from './capture-link';
import { isDecided, isOpen } from './session';
import type { Session } from './session';
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

/** Decisions that the state of a session permits. */
function listDecisions(session: Session): ReviewDecision[] {
  if (isDecided(session)) return ['review', 'approve', 'decline', 'resubmit'];
  if (session.status === 'in_review') return ['approve', 'decline', 'resubmit'];
  return isOpen(session) ? ['decline'] : [];
}

type Dialog = ReviewDecision | 'link' | 'share' | 'erase';

const isDecision = (dialog: Dialog | null): dialog is ReviewDecision =>
  dialog !== null && !['link', 'share', 'erase'].includes(dialog);

interface MenuProps {
  session: Session;
  onOpen: (dialog: Dialog) => void;
  report: () => void;
}

function MoreMenu({ session, onOpen, report }: MenuProps) {
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
        {permissions.has('sessions:share') && session.status === 'approved' && (
          <Menu.Item onClick={() => onOpen('share')}>{t('share.action')}</Menu.Item>
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

/** What the signed-in user may do with a session. */
export function SessionActions({ session, onErased }: { session: Session; onErased: () => void }) {
  const { t } = useTranslation('sessions');
  const { identity: permissions } = useSession();
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const report = useMutation({ mutationFn: () => openReport(session.id) });
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
            onClick={() => setDialog(decision)}
          >
            {t(`decision.${decision}.action`)}
          </Button>
        ))}
        {isOpen(session) && permissions.has('sessions:write') && (
          <Button variant="default" onClick={() => setDialog('link')}>
            {t('link.open')}
          </Button>
        )}
        <MoreMenu session={session} onOpen={setDialog} report={() => report.mutate()} />
      </Group>
      <Failure error={report.error} />
      {dialog === 'link' && <LinkDialog session={session} onClose={close} />}
      {dialog === 'share' && <ShareDialog session={session} onClose={close} />}
      {dialog === 'erase' && <EraseDialog session={session} onClose={close} onErased={onErased} />}
      {isDecision(dialog) && <DecisionDialog session={session} decision={dialog} onClose={close} />}
    </>
  );
}
