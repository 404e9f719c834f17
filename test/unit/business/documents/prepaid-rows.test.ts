import { renderDocumentHtml } from '../../../../activities/rendering/template/document';
import { buildPrintableDocument } from '../../../../domain/business/documents/build-printable-document';
import { DOCUMENT_LANGUAGES } from '../../../../domain/business/invoices/invoice';
import { buildTestInvoice, buildTestPrepaid } from '../../../support/business/documents';

test.each(DOCUMENT_LANGUAGES)('the number of a deposit is not broken at its hyphens (%s)', (language) => {
  const invoice = buildTestInvoice({ language, prepaid: buildTestPrepaid('59.5') });
  const page = renderDocumentHtml(buildPrintableDocument(invoice, { logo: null, voidedOn: null }));
  expect(page).toMatch(/<bdi class="unbroken">INV-2026-000003<\/bdi\s*>/);
  expect(page).toMatch(/\.totals \.unbroken[^}]*white-space: nowrap/);
  expect(page).not.toContain('{number}');
});
