import type { Route } from '../../api/http/route';

/** The permissions of which each allows a call of the route. */
export const listAcceptedPermissions = ({ permission, alternativePermissions = [] }: Route): string[] => [
  permission,
  ...alternativePermissions,
];
