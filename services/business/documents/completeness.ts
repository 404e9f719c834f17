import { findMissingCompanyDetails, findMissingDetails } from '../../../domain/business/documents/mandatory-details';
import type { RuleViolation } from '../../../domain/business/documents/einvoice/check';
import { AppError } from '../../../domain/errors';
import type { CompanyRecord } from '../../../models/business/settings/company';
import type { PreparedInvoice } from '../invoices/invoice-preparation';
import { buildInvoiceSnapshot, buildSellerSnapshot } from '../invoices/invoice-snapshot';
import { buildViolationDetails, rejectNoncompliantInvoice } from './einvoices';

/**
 * Rejects an invoice that cannot be issued: it lacks a detail that the law of the company's country requires, if the
 * company has completeness checks on, or violates a rule of electronic invoices, if it has these on.
 * @throws AppError 400 `document_incomplete` or `einvoice_invalid`, naming each field, with `rules` in its details
 */
export function rejectUnissuableInvoice(company: CompanyRecord, prepared: PreparedInvoice, now: Date): void {
  if (company.completenessChecks === 'on') {
    const missing = findMissingDetails(buildInvoiceSnapshot(company, prepared, prepared.series.prefix, now));
    if (missing.length > 0) {
      const message = 'The invoice lacks details that the law of the company’s country requires; errors lists them.';
      throw new AppError('document_incomplete', 400, message, buildViolationDetails(missing));
    }
  }
  rejectNoncompliantInvoice(company, prepared, now);
}

/** Finds the details that every invoice of the company would lack, also while completeness checks are off. */
export const findCompanyGaps = (company: CompanyRecord): RuleViolation[] =>
  findMissingCompanyDetails(buildSellerSnapshot(company), true);
