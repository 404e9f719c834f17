import { toCiiXml } from '../../../../../domain/business/documents/einvoice/cii';
import { toElectronicInvoice } from '../../../../../domain/business/documents/einvoice/from-document';
import { EINVOICE_PROFILES } from '../../../../../domain/business/documents/einvoice/specification';
import { parseXml } from '../../../../../lib/xml-tree';
import type { XmlElement } from '../../../../../lib/xml-tree';
import { buildTestInvoice, buildTestPrepaid } from '../../../../support/business/documents';

const findAll = (element: XmlElement, name: string): XmlElement[] => [
  ...(element.name === name ? [element] : []),
  ...element.children.flatMap((child) => findAll(child, name)),
];

test.each(EINVOICE_PROFILES)('a deposit has an element of its own with its tax in Extended alone (%s)', (profile) => {
  const invoice = buildTestInvoice({ prepaid: buildTestPrepaid('59.5') });
  const xml = toCiiXml({ ...toElectronicInvoice(invoice), profile });
  const found = findAll(
    parseXml(xml, { maxDepth: 20, maxNodes: 10_000, maxAttributes: 20 }),
    'SpecifiedAdvancePayment',
  );
  const texts = ['PaidAmount', 'CalculatedAmount', 'CategoryCode', 'RateApplicablePercent', 'IssuerAssignedID'].map(
    (name) => found.flatMap((each) => findAll(each, name)).map(({ text }) => text),
  );
  const stated = [['59.50'], ['9.50'], ['S'], ['19'], ['INV-2026-000003']];
  expect(texts).toEqual(profile === 'extended' ? stated : stated.map(() => []));
});
