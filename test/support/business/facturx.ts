import {
  decodePDFRawStream,
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFHexString,
  PDFName,
  PDFRawStream,
  PDFString,
} from '@cantoo/pdf-lib';

const toPdfName = (text: string): PDFName => PDFName.of(text);

const decodeText = (stream: PDFRawStream): string => Buffer.from(decodePDFRawStream(stream).decode()).toString('utf8');

function getStream(dictionary: PDFDict, key: string): PDFRawStream {
  const stream = dictionary.lookup(toPdfName(key));
  if (!(stream instanceof PDFRawStream)) throw new Error(`${key} is not a stream.`);
  return stream;
}

/** The parts of a Factur-X file that PDF/A-3 and Factur-X require. */
export interface HybridFile {
  xml: string;
  fileName: string;
  mimeType: string;
  relationship: string;
  /** Whether the attachment is listed in AF of the catalogue as well as in the name tree. */
  associated: boolean;
  xmp: string;
  outputIntent: string;
  /** The colour space and the profile class in the header of the ICC profile. */
  profile: string;
  /** Both halves of the file identifier. */
  id: string[];
  /** Keys that PDF/A forbids or that a plain page does not need. */
  encrypted: boolean;
  scripted: boolean;
  header: string;
}

/** Reads a file independently of the code that wrote it, except for the PDF library. @throws Error if a part is missing */
export async function readHybrid(bytes: Uint8Array): Promise<HybridFile> {
  const pdf = await PDFDocument.load(bytes, { updateMetadata: false });
  const { catalog, context } = pdf;
  const files = catalog.lookup(toPdfName('Names'), PDFDict).lookup(toPdfName('EmbeddedFiles'), PDFDict);
  const specification = files.lookup(toPdfName('Names'), PDFArray).lookup(1, PDFDict);
  const stream = getStream(specification.lookup(toPdfName('EF'), PDFDict), 'F');
  const associated = catalog.lookup(toPdfName('AF'), PDFArray);
  const intent = catalog.lookup(toPdfName('OutputIntents'), PDFArray).lookup(0, PDFDict);
  const profile = Buffer.from(decodePDFRawStream(getStream(intent, 'DestOutputProfile')).decode()).toString('latin1');
  const id = context.trailerInfo.ID;
  return {
    xml: decodeText(stream),
    fileName: specification.lookup(toPdfName('UF'), PDFHexString).decodeText(),
    mimeType: stream.dict.lookup(toPdfName('Subtype'), PDFName).decodeText(),
    relationship: specification.lookup(toPdfName('AFRelationship'), PDFName).decodeText(),
    associated: associated.size() === 1 && associated.lookup(0) === specification,
    xmp: decodeText(getStream(catalog, 'Metadata')),
    outputIntent: [
      intent.lookup(toPdfName('S'), PDFName).decodeText(),
      intent.lookup(toPdfName('OutputConditionIdentifier'), PDFString).asString(),
    ].join(' '),
    profile: `${profile.slice(36, 40)} ${profile.slice(12, 20)}`,
    id: id instanceof PDFArray ? [0, 1].map((at) => id.lookup(at, PDFHexString).asString()) : [],
    encrypted: context.trailerInfo.Encrypt !== undefined,
    scripted: catalog.has(toPdfName('OpenAction')) || catalog.has(toPdfName('AA')),
    header: Buffer.from(bytes.subarray(0, 8)).toString('latin1'),
  };
}
