import type { IssuedDocument } from '../../invoices/invoice';
import { toElectronicInvoice } from './from-document';
import { CATEGORY_RULES } from './rules/vat-categories';
import { CONTENT_RULES } from './rules/content';
import { evaluateRules } from './rules/rule';
import type { RuleViolation } from './rules/rule';
import { PROFILE_RULES } from './rules/profiles';
import { TOTALS_RULES } from './rules/totals';
import type { ElectronicInvoice } from './semantic-model';

export type { RuleViolation } from './rules/rule';

/** Whether a company's documents must comply with EN 16931. */
export const E_INVOICING_MODES = ['off', 'on'] as const;
export type EInvoicingMode = (typeof E_INVOICING_MODES)[number];

/** Every rule of EN 16931-1 that a document of this service can violate, by id. */
export const EINVOICE_RULES = [...CONTENT_RULES, ...TOTALS_RULES, ...CATEGORY_RULES] as const;

/**
 * Preconditions of the standard's rules on amounts, which no rule states by itself: two decimals, and tax rounded once
 * per rate.
 */
const PRECONDITIONS = {
  currency: 'VOUCH-CURRENCY',
  rounding: 'VOUCH-TAX-ROUNDING',
  components: 'VOUCH-TAX-COMPONENTS',
} as const;

function checkPreconditions(document: IssuedDocument): RuleViolation[] {
  const violations: RuleViolation[] = [];
  if (document.currencyDecimals > 2) {
    const problem = `${document.currencyCode} has ${document.currencyDecimals} decimals; electronic invoices have at most 2`;
    violations.push({ rule: PRECONDITIONS.currency, field: 'currencyCode', problem });
  }
  if (document.taxRounding !== 'per_rate') {
    const problem = 'tax must be rounded once per rate (per_rate), not on each line';
    violations.push({ rule: PRECONDITIONS.rounding, field: 'company.taxRounding', problem });
  }
  if (document.taxes.some(({ components }) => components !== undefined)) {
    const problem = 'electronic invoices have one tax per line, not several';
    violations.push({ rule: PRECONDITIONS.components, field: 'lines', problem });
  }
  return violations;
}

/** Finds the rules of EN 16931 and of its profile that an electronic invoice violates. */
export const findRuleViolations = (invoice: ElectronicInvoice): RuleViolation[] =>
  evaluateRules(invoice, [...EINVOICE_RULES, ...PROFILE_RULES[invoice.profile]]);

/** Finds the reasons why a document cannot be an electronic invoice. */
export const findEInvoiceViolations = (document: IssuedDocument): RuleViolation[] => [
  ...checkPreconditions(document),
  ...findRuleViolations(toElectronicInvoice(document)),
];
