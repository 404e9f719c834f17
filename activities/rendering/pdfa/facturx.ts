import { AFRelationship, PDFDocument, PDFHeader, PDFHexString, PDFName, PDFString } from '@cantoo/pdf-lib';
import { computeFileId } from '../pdf-file';
import type { FileIdentity } from '../pdf-file';
import { getSrgbProfile } from './srgb-profile';
import { buildXmpPacket } from './xmp';

/** File name required by Factur-X. */
const ATTACHMENT = 'factur-x.xml';
const SRGB = 'sRGB IEC61966-2.1';

/** Defines the meaning of the device colours on the pages (ISO 19005-3, 6.2.3). */
async function setOutputIntent(pdf: PDFDocument): Promise<void> {
  const { context, catalog } = pdf;
  const profile = context.register(context.flateStream(await getSrgbProfile(), { N: 3, Alternate: 'DeviceRGB' }));
  const intent = context.obj({ Type: 'OutputIntent', S: 'GTS_PDFA1', DestOutputProfile: profile });
  intent.set(PDFName.of('OutputConditionIdentifier'), PDFString.of(SRGB));
  intent.set(PDFName.of('Info'), PDFString.of(SRGB));
  catalog.set(PDFName.of('OutputIntents'), context.obj([intent]));
}

/** Adds XMP with the same values as the information dictionary; it must not be compressed (6.6.2.1). */
function setMetadata(pdf: PDFDocument, issuedAt: Date): void {
  const packet = buildXmpPacket({
    title: pdf.getTitle() ?? '',
    creator: pdf.getCreator() ?? '',
    producer: pdf.getProducer() ?? '',
    createdAt: issuedAt,
    attachment: ATTACHMENT,
  });
  const stream = pdf.context.stream(Buffer.from(packet, 'utf8'), { Type: 'Metadata', Subtype: 'XML' });
  pdf.catalog.set(PDFName.of('Metadata'), pdf.context.register(stream));
}

/**
 * Converts a printed page to a Factur-X file: PDF/A-3 level B with the electronic invoice embedded, profile EN 16931.
 * Equal input gives equal bytes.
 * @param printed output of the renderer: all fonts are embedded, and its dates are those of issue.
 * @param xml the Cross Industry Invoice with the content of the page.
 */
export async function toFacturX(printed: Uint8Array, xml: string, identity: FileIdentity): Promise<Buffer> {
  const pdf = await PDFDocument.load(printed, { updateMetadata: false });
  await pdf.attach(Buffer.from(xml, 'utf8'), ATTACHMENT, {
    mimeType: 'text/xml',
    description: 'Factur-X',
    creationDate: identity.issuedAt,
    modificationDate: identity.issuedAt,
    // Page and XML each contain the complete invoice.
    afRelationship: AFRelationship.Alternative,
  });
  await setOutputIntent(pdf);
  setMetadata(pdf, identity.issuedAt);
  // The browser writes PDF 1.4; associated files require a later version.
  pdf.context.header = PDFHeader.forVersion(1, 7);
  const id = PDFHexString.of(computeFileId(`${identity.contentId}.facturx`));
  pdf.context.trailerInfo.ID = pdf.context.obj([id, id]);
  return Buffer.from(await pdf.save({ useObjectStreams: false, addDefaultPage: false, updateFieldAppearances: false }));
}
