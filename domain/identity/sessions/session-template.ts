import { DEFAULT_FEATURES } from './features';
import type { Feature } from './features';
import type { Rule } from './rules/rule';
import { DEFAULT_SETTINGS } from './settings';
import type { SessionSettings } from './settings';

/** How the capture page is presented to the person. */
export interface Branding {
  name?: string | undefined;
  logoUrl?: string | undefined;
  /** Hexadecimal colour, `#rrggbb`. */
  primaryColor?: string | undefined;
}

/**
 * The common definition of a group of sessions; the API calls it a workflow. Immutable: a change creates the next
 * version.
 */
export interface TemplateDefinition extends SessionSettings {
  name: string;
  features: Feature[];
  /** At most 100, in the order of evaluation. */
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

/** The settings that a session copies from the definition it starts with. */
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
  acceptPdfDocuments = true,
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
  acceptPdfDocuments,
});
