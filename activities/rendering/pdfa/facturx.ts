import { AFRelationship, PDFDocument, PDFHeader, PDFHexString, PDFName, PDFString } from '@cantoo/pdf-lib';
import { toCiiXml } from '../../../domain/business/documents/einvoice/cii';
import type { ElectronicInvoice } from '../../../domain/business/documents/einvoice/semantic-model';
import { PROFILE_SPECIFICATIONS } from '../../../domain/business/documents/einvoice/specification';
import type { EInvoiceProfile } from '../../../domain/business/documents/einvoice/specification';
import { computeFileId } from '../pdf-file';
import type { FileIdentity } from '../pdf-file';
import { getSrgbProfile } from './srgb-profile';
import { buildXmpPacket } from './xmp';

type EmbeddedProfile = (typeof PROFILE_SPECIFICATIONS)[EInvoiceProfile]['facturx'];

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
function setMetadata(pdf: PDFDocument, { fileName, level }: EmbeddedProfile, issuedAt: Date): void {
  const packet = buildXmpPacket({
    title: pdf.getTitle() ?? '',
    creator: pdf.getCreator() ?? '',
    producer: pdf.getProducer() ?? '',
    createdAt: issuedAt,
    attachment: fileName,
    level,
  });
  const stream = pdf.context.stream(Buffer.from(packet, 'utf8'), { Type: 'Metadata', Subtype: 'XML' });
  pdf.catalog.set(PDFName.of('Metadata'), pdf.context.register(stream));
}

/**
 * Converts a printed page to a Factur-X file: PDF/A-3 level B with the electronic invoice embedded.
 * Equal input gives equal bytes.
 * @param printed output of the renderer: all fonts are embedded, and its dates are those of issue.
 * @param invoice the content of the page, embedded as Cross Industry Invoice.
 */
export async function toFacturX(
  printed: Uint8Array,
  invoice: ElectronicInvoice,
  identity: FileIdentity,
): Promise<Buffer> {
  const pdf = await PDFDocument.load(printed, { updateMetadata: false });
  const embedded = PROFILE_SPECIFICATIONS[invoice.profile].facturx;
  await pdf.attach(Buffer.from(toCiiXml(invoice), 'utf8'), embedded.fileName, {
    mimeType: 'text/xml',
    description: 'Factur-X',
    creationDate: identity.issuedAt,
    modificationDate: identity.issuedAt,
    // Page and XML each contain the complete invoice.
    afRelationship: AFRelationship.Alternative,
  });
  await setOutputIntent(pdf);
  setMetadata(pdf, embedded, identity.issuedAt);
  // The browser writes PDF 1.4; associated files require a later version.
  pdf.context.header = PDFHeader.forVersion(1, 7);
  const id = PDFHexString.of(computeFileId(`${identity.contentId}.facturx`));
  pdf.context.trailerInfo.ID = pdf.context.obj([id, id]);
  return Buffer.from(await pdf.save({ useObjectStreams: false, addDefaultPage: false, updateFieldAppearances: false }));
}
