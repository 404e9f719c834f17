import { Badge } from '@mantine/core';
import type { MantineColor } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { SessionStatus } from './session';
import './texts';

const COLORS: Readonly<Record<SessionStatus, MantineColor>> = {
  not_started: 'gray',
  in_progress: 'blue',
  in_review: 'yellow',
  approved: 'green',
  declined: 'red',
  resubmission_requested: 'orange',
  expired: 'gray',
  abandoned: 'gray',
  cancelled: 'gray',
  approval_expired: 'orange',
};

export const SESSION_STATUSES = Object.keys(COLORS) as SessionStatus[];

/** The status of a session, in words and by colour. */
export function StatusBadge({ status }: { status: SessionStatus }) {
  const { t } = useTranslation('sessions');
  return (
    <Badge color={COLORS[status]} variant="outline" c="var(--mantine-color-text)" tt="none">
      {t(`status.${status}`)}
    </Badge>
  );
}
