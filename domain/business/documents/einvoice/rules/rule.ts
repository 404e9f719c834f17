import type { ElectronicInvoice, ElectronicLine, ElectronicTax } from '../semantic-model';

/** A violation of a rule: the standard's id, the field to correct, and the requirement. */
export interface RuleViolation {
  rule: string;
  field: string;
  problem: string;
}

export interface Rule {
  /** Id as in EN 16931-1, section 6.4, such as `BR-CO-15`. */
  id: string;
  /** The requirement, in words for the user who must correct the field. */
  wants: string;
  /** Returns the fields that violate the rule. */
  findBreaches: (invoice: ElectronicInvoice) => string[];
}

/** A rule of the whole document. */
export const documentRule = (
  id: string,
  field: string,
  wants: string,
  holds: (invoice: ElectronicInvoice) => boolean,
): Rule => ({ id, wants, findBreaches: (invoice) => (holds(invoice) ? [] : [field]) });

/** A rule of every line. */
export const lineRule = (
  id: string,
  part: string,
  wants: string,
  holds: (line: ElectronicLine, invoice: ElectronicInvoice) => boolean,
): Rule => ({
  id,
  wants,
  findBreaches: (invoice) =>
    invoice.lines.flatMap((line, index) => (holds(line, invoice) ? [] : [`lines[${index}].${part}`])),
});

/** A rule of every row of the tax table. */
export const taxRule = (
  id: string,
  wants: string,
  holds: (tax: ElectronicTax, invoice: ElectronicInvoice) => boolean,
): Rule => ({
  id,
  wants,
  findBreaches: (invoice) => invoice.taxes.flatMap((tax, index) => (holds(tax, invoice) ? [] : [`taxes[${index}]`])),
});

/** The violations of an invoice in the order of the rules: one for each field that breaks one. */
export const evaluateRules = (invoice: ElectronicInvoice, rules: readonly Rule[]): RuleViolation[] =>
  rules.flatMap(({ id, wants, findBreaches: breaches }) =>
    breaches(invoice).map((field) => ({ rule: id, field, problem: wants })),
  );
