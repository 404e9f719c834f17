/** new, contacted and qualified are open statuses, set in any order; converted and lost are final. */
export const LEAD_STATUSES = ['new', 'contacted', 'qualified', 'converted', 'lost'] as const;
export type LeadStatus = (typeof LEAD_STATUSES)[number];

/** The statuses that a client can set; converting and losing a lead are separate operations. */
export const OPEN_LEAD_STATUSES = ['new', 'contacted', 'qualified'] as const;
export type OpenLeadStatus = (typeof OPEN_LEAD_STATUSES)[number];

/** Whether a lead can still be converted; a lost one is reopened first. */
export const isOpenLead = (status: LeadStatus): status is OpenLeadStatus =>
  OPEN_LEAD_STATUSES.some((open) => open === status);
