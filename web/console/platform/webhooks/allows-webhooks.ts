import type { SignedIn } from '../../session';

/** Whether the user may see webhooks: by a role in either product, because both have the same live webhooks. */
export const allowsWebhooks = ({ identity, business }: SignedIn): boolean =>
  identity.has('webhooks:read') || business.has('admin:read');
