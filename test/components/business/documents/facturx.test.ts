import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { toFacturX } from '../../../../activities/rendering/pdfa/facturx';
import { createRenderer } from '../../../../activities/rendering/renderer';
import type { Renderer } from '../../../../activities/rendering/renderer';
import { renderDocumentHtml } from '../../../../activities/rendering/template/document';
import { toCiiXml } from '../../../../domain/business/documents/einvoice/cii';
import { toElectronicInvoice } from '../../../../domain/business/documents/einvoice/from-document';
import type { IssuedDocument } from '../../../../domain/business/invoices/invoice';
import { buildPrintableDocument } from '../../../../domain/business/documents/build-printable-document';
import { buildTestCreditNote, buildTestInvoice } from '../../../support/business/documents';
import { findChromium } from '../../../support/chromium';
import { readHybrid } from '../../../support/business/facturx';
import { openValidator } from '../../../support/business/mustang';
import { listFonts, countMissingGlyphs, readPageTexts } from '../../../support/business/printed-pdf';

let workFolder: string;
let executablePath: string;
const openRenderers: Renderer[] = [];

function startRenderer(): Renderer {
  const created = createRenderer({
    sandbox: process.env['CHROMIUM_SANDBOX'] !== 'false',
    executablePath,
    workFolder,
    pages: 1,
  });
  openRenderers.push(created);
  return created;
}

const validate = openValidator();
const identity = { issuedAt: new Date('2026-11-21T10:15:30.999Z'), contentId: 'a document' };
const EVERY_SCRIPT = 'Ωμέγα Ёлка شركة القهوة בית קפה ร้านกาแฟ 東京コーヒー 咖啡 커피';

/** The logo has an alpha channel, because PDF/A has special rules for transparency. */
async function renderHybrid(document: IssuedDocument, on = startRenderer()): Promise<Buffer> {
  const dot = { width: 60, height: 20, channels: 4, background: { r: 20, g: 90, b: 90, alpha: 0.5 } } as const;
  const logo = `data:image/png;base64,${(await sharp({ create: dot }).png().toBuffer()).toString('base64')}`;
  const printed = await on.renderPdf(
    renderDocumentHtml(buildPrintableDocument(document, { logo, voidedOn: null })),
    identity,
  );
  return toFacturX(printed, toElectronicInvoice(document), identity);
}

beforeAll(async () => {
  executablePath = await findChromium();
  workFolder = await mkdtemp(path.join(tmpdir(), 'vouch-facturx-'));
});

afterEach(() => Promise.all(openRenderers.splice(0).map((each) => each.close())));

afterAll(() => rm(workFolder, { recursive: true, force: true }));

describe('a Factur-X file', () => {
  test('is a PDF/A-3 with the invoice as an alternative of its page', async () => {
    const document = buildTestInvoice();
    const file = await renderHybrid(document);
    const hybrid = await readHybrid(file);
    expect(hybrid).toMatchObject({
      xml: toCiiXml(toElectronicInvoice(document)),
      fileName: 'factur-x.xml',
      mimeType: 'text/xml',
      relationship: 'Alternative',
      associated: true,
      outputIntent: 'GTS_PDFA1 sRGB IEC61966-2.1',
      profile: 'acsp mntrRGB ',
      encrypted: false,
      scripted: false,
      header: '%PDF-1.7',
    });
    expect(hybrid.id).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), hybrid.id[0]]);
    expect([...(await listFonts(file)).values()]).not.toContain(false);
    expect(await countMissingGlyphs(file)).toBe(0);
    expect((await readPageTexts(file)).join()).toContain(document.number);
  });

  test('is described in XMP, with the schema of the Factur-X properties', async () => {
    const { xmp } = await readHybrid(await renderHybrid(buildTestInvoice({ number: 'R&D <17>' })));
    for (const said of [
      '<pdfaid:part>3</pdfaid:part>',
      '<pdfaid:conformance>B</pdfaid:conformance>',
      '<rdf:li xml:lang="x-default">Rechnung R&amp;D &lt;17&gt;</rdf:li>',
      '<xmp:CreateDate>2026-11-21T10:15:30+00:00</xmp:CreateDate>',
      '<pdfaSchema:namespaceURI>urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#</pdfaSchema:namespaceURI>',
      '<fx:DocumentFileName>factur-x.xml</fx:DocumentFileName>',
      '<fx:DocumentType>INVOICE</fx:DocumentType>',
      '<fx:ConformanceLevel>EN 16931</fx:ConformanceLevel>',
    ])
      expect(xmp).toContain(said);
  });

  test('has the same bytes from two new browsers and from a reused page', async () => {
    const document = buildTestInvoice();
    const first = startRenderer();
    const fresh = await renderHybrid(document, first);
    await renderHybrid(buildTestCreditNote(), first);
    expect((await renderHybrid(document, first)).equals(fresh)).toBe(true);
    expect((await renderHybrid(document)).equals(fresh)).toBe(true);
  });

  (validate === null ? test.skip : test)(
    'passes Mustang and veraPDF in every script (with Java and Maven)',
    async () => {
      const { buyer } = buildTestInvoice();
      const file = await renderHybrid(
        buildTestInvoice({ buyer: { ...buyer, name: EVERY_SCRIPT }, notes: EVERY_SCRIPT }),
      );
      const report = validate?.(file, workFolder) ?? '';
      expect(report).toContain('flavour=3b');
      expect(report).toContain('isCompliant=true');
      expect(report).not.toContain('<error');
      expect(report.match(/summary status="\w+"/g)).toEqual(Array.from({ length: 3 }, () => 'summary status="valid"'));
    },
  );
});
