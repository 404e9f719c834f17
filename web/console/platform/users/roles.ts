import type { BusinessResponse } from '../../../../clients/typescript/src/calls';

export type User = BusinessResponse<'listUsers'>['data'][number];
export type BusinessRole = NonNullable<User['role']>;
export type IdentityRole = NonNullable<User['identityRole']>;

/** Every role, so that a new one of the API does not compile without a text here. */
const IDENTITY: Readonly<Record<IdentityRole, true>> = {
  admin: true,
  reviewer: true,
  developer: true,
  auditor: true,
  viewer: true,
};
const BUSINESS: Readonly<Record<BusinessRole, true>> = {
  admin: true,
  accountant: true,
  sales: true,
  warehouse: true,
  viewer: true,
};

export const IDENTITY_ROLES = Object.keys(IDENTITY) as IdentityRole[];
export const BUSINESS_ROLES = Object.keys(BUSINESS) as BusinessRole[];
