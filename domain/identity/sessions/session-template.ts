import type { AvailableFeature } from '../checks/checks';
import { DEFAULT_FEATURES } from './features';
import type { Rule } from './rules/rule';
import { DEFAULT_SETTINGS } from './settings';
import type { SessionSettings } from './settings';

/** How the capture page presents itself to the person. */
export interface Branding {
  name?: string | undefined;
  logoUrl?: string | undefined;
  /** #rrggbb */
  primaryColor?: string | undefined;
}

/**
 * What sessions of one kind have in common: the contract calls it a workflow. A definition never changes; a change makes
 * the next version.
 */
export interface TemplateDefinition extends SessionSettings {
  name: string;
  features: AvailableFeature[];
  /** ≤ 100, in the order they are asked */
  rules: Rule[];
  callbackUrl: string | null;
  branding: Branding | null;
}

export const DEFAULT_DEFINITION: Omit<TemplateDefinition, 'name'> = {
  ...DEFAULT_SETTINGS,
  features: [...DEFAULT_FEATURES],
  rules: [],
  callbackUrl: null,
  branding: null,
};

/** What a session keeps of the definition it starts with. */
export const pickSettings = ({
  maxAttempts,
  attemptWindowDays,
  linkTtlHours,
  abandonAfterHours,
  approvalValidDays,
  retentionDays,
  indexApprovedFaces,
  actions,
  thresholds,
  acceptedDocuments,
}: SessionSettings): SessionSettings => ({
  maxAttempts,
  attemptWindowDays,
  linkTtlHours,
  abandonAfterHours,
  approvalValidDays,
  retentionDays,
  indexApprovedFaces,
  actions,
  thresholds,
  acceptedDocuments,
});
