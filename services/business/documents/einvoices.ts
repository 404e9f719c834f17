import { findEInvoiceViolations } from '../../../domain/business/documents/einvoice/check';
import type { RuleViolation } from '../../../domain/business/documents/einvoice/check';
import type { IssuedDocument } from '../../../domain/business/invoices/invoice';
import { AppError } from '../../../domain/errors';
import type { ErrorDetails } from '../../../domain/errors';
import type { CompanyRecord } from '../../../models/business/settings/company';
import type { PreparedInvoice } from '../invoices/invoice-preparation';
import { buildInvoiceSnapshot } from '../invoices/invoice-snapshot';

/** The fields and rules of violations, as the details of an error. */
export const buildViolationDetails = (violations: readonly RuleViolation[]): ErrorDetails => ({
  fields: violations.map(({ rule, field, problem }) => ({ field, problem: `${rule}: ${problem}` })),
  rules: [...new Set(violations.map(({ rule }) => rule))],
});

/**
 * Validates a document against EN 16931 before it is issued, if its company has electronic invoicing on. An issued
 * document cannot be corrected.
 * @throws AppError 400 `einvoice_invalid` with `rules` in its details, naming the field and the rule of each violation.
 */
export function rejectNoncompliantDocument(company: CompanyRecord, document: IssuedDocument): void {
  if (company.eInvoicing !== 'on') return;
  const violations = findEInvoiceViolations(document);
  if (violations.length === 0) return;
  const message = 'The document cannot be an electronic invoice; errors lists the rules of EN 16931 that it violates.';
  throw new AppError('einvoice_invalid', 400, message, buildViolationDetails(violations));
}

/** {@link rejectNoncompliantDocument} for an invoice that has no number yet; the rules accept any number. */
export function rejectNoncompliantInvoice(company: CompanyRecord, prepared: PreparedInvoice, now: Date): void {
  if (company.eInvoicing === 'on')
    rejectNoncompliantDocument(company, buildInvoiceSnapshot(company, prepared, prepared.series.prefix, now));
}

/**
 * Rejects an issued document that violates EN 16931, so that no electronic invoice is rendered from it. Companies with
 * electronic invoicing off can have such documents.
 * @throws AppError 409 `einvoice_unfit` with `rules` in its details.
 */
export function requireCompliantDocument(document: IssuedDocument): void {
  const violations = findEInvoiceViolations(document);
  if (violations.length === 0) return;
  const message =
    'The document as issued cannot be an electronic invoice; errors lists the rules of EN 16931 that it violates.';
  throw new AppError('einvoice_unfit', 409, message, buildViolationDetails(violations));
}
