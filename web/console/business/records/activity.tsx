import { Badge, Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { CallOptions } from '../../../../clients/typescript/src/calls';
import { changeAsSeen } from '../../../shared/api/versions';
import { notifyFailure } from '../../components/notify-failure';

/** Whether a record can be used in new documents. */
export function ActivityBadge({ active }: { active: boolean }) {
  const { t } = useTranslation('business');
  return (
    <Badge variant="light" color={active ? 'green' : 'gray'}>
      {t(active ? 'activity.true' : 'activity.false')}
    </Badge>
  );
}

interface ActivityButtonProps {
  active: boolean;
  /** Name of the record, for screen readers. */
  name: string;
  read: (options: CallOptions) => Promise<{ data: { active: boolean } }>;
  /** Sends the change; the options make the API reject it if the record has changed meanwhile. */
  change: (active: boolean, options: CallOptions) => Promise<unknown>;
}

/** Activates or deactivates a record of a list, unless another user has done it meanwhile. */
export function ActivityButton({ active, name, read, change }: ActivityButtonProps) {
  const { t } = useTranslation('business');
  const queries = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: () =>
      changeAsSeen(
        read,
        (current) => current.active === active,
        (options) => change(!active, options),
      ),
    onSettled: () => queries.invalidateQueries({ queryKey: ['business'] }),
    onError: notifyFailure,
  });
  const action = t(active ? 'deactivate' : 'activate');
  return (
    <Button size="xs" variant="default" loading={isPending} aria-label={`${action}: ${name}`} onClick={() => mutate()}>
      {action}
    </Button>
  );
}
