/** new → contacted → qualified while somebody works on it, in any order; converted and lost end it. */
export const LEAD_STATUSES = ['new', 'contacted', 'qualified', 'converted', 'lost'] as const;
export type LeadStatus = (typeof LEAD_STATUSES)[number];

/** What a lead can be set to by hand; converting and losing have their own ways. */
export const OPEN_LEAD_STATUSES = ['new', 'contacted', 'qualified'] as const;
export type OpenLeadStatus = (typeof OPEN_LEAD_STATUSES)[number];

export const isOpenLead = (status: LeadStatus): status is OpenLeadStatus =>
  OPEN_LEAD_STATUSES.some((open) => open === status);
