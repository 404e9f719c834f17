import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useSession } from '../../session';
import type { BusinessPermission } from '../../session';

interface RecordLinkProps {
  /** What the page of the record needs. */
  permission: BusinessPermission;
  to: string;
  label: string;
}

/** The name of a record as a link to its page; only the name for users whose role does not include that page. */
export function RecordLink({ permission, to, label }: RecordLinkProps) {
  const { business: permissions } = useSession();
  if (!permissions.has(permission)) return label;
  return (
    <Anchor component={Link} to={to} size="sm">
      {label}
    </Anchor>
  );
}
