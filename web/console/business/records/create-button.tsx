import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useSession } from '../../session';
import type { BusinessPermission } from '../../session';

interface CreateButtonProps {
  permission: BusinessPermission;
  /** Path of the editor. */
  to: string;
  label: string;
}

/** Opens the editor of a new record, for users who may create one. */
export function CreateButton({ permission, to, label }: CreateButtonProps) {
  const { business: permissions } = useSession();
  if (!permissions.has(permission)) return null;
  return (
    <Button component={Link} to={to} leftSection={<IconPlus size={16} aria-hidden />}>
      {label}
    </Button>
  );
}
