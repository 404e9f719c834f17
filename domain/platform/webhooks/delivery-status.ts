/** The status of a webhook delivery. `cancelled`: ended before it succeeded, because it is no longer wanted. */
export const DELIVERY_STATUSES = ['pending', 'succeeded', 'failed', 'cancelled'] as const;
