import type { DocumentQuality, DocumentResult, DocumentSide } from '../../../domain/identity/documents/result';
import type { CaptureTraits } from '../../../domain/identity/documents/recapture';
import type { ExaminedImage } from '../decoding/pool';
import { alignFace, embedAligned } from '../faces/embedding';
import type { Embedding } from '../faces/embedding';
import { searchFaces } from '../faces/search';
import type { FaceSearch } from '../faces/search';
import type { Networks } from '../inference/networks';
import { runStage } from '../inference/stages';
import { toImageBox } from '../imaging/coordinates';
import type { Rect } from '../imaging/raster';
import type { RecognisedSide } from './fields';
import { readPage } from './mrz-page';
import type { RecognisedPage } from './mrz-page';
import { assessPage } from './quality';
import { measureFineStructure } from './recapture';

/** One side of a document with its text, quality and portrait. */
export interface AssessedSide extends RecognisedSide {
  quality: DocumentQuality;
  portrait: DocumentResult['portrait'];
  /** embeddings of the portrait and of other faces of about its size; none of the only face of the only side */
  faceEmbeddings: Embedding[];
  /** one for the file, or for each picture in a PDF */
  captures: CaptureTraits[];
}

/** Narrower faces, as a share of the document width, are part of the print instead of portraits. */
const MIN_PORTRAIT_SHARE = 0.06;

/** Minimum width of a second portrait relative to the largest face; ghost images of the portrait are smaller. */
const MIN_PORTRAIT_PEER_SHARE = 0.6;

/** Width of the document within the image, by its zone or its text; it may fill only a part of the image. */
function measureDocumentWidth({ zones: [zone], lines, image }: RecognisedPage): number {
  if (zone !== undefined) return Math.max(...zone.rows.map(({ length }) => length));
  const left = Math.min(...lines.map(({ x, length }) => x - length / 2));
  const right = Math.max(...lines.map(({ x, length }) => x + length / 2));
  return lines.length < 3 ? image.width : right - left;
}

/** Formats whose zone is below the portrait; that of a card is on its other side. */
const PORTRAIT_FORMATS: readonly string[] = ['TD2', 'TD3', 'MRVA', 'MRVB', 'IDFRA'];

/**
 * Where the portrait is by the layout of ICAO Doc 9303 parts 4, 6 and 7: at the left above the zone, in lengths of its
 * rows; null if the zone does not tell.
 */
function findPortraitRegion({ zones: [zone] }: RecognisedPage): Rect | null {
  const row = zone?.rows[0];
  if (zone === undefined || row === undefined || !PORTRAIT_FORMATS.includes(zone.parsed.format)) return null;
  const { length } = row;
  return { x: row.x - 0.54 * length, y: row.y - 0.68 * length, width: 0.44 * length, height: 0.66 * length };
}

/** Embeddings of the portrait and of the other faces of about its size, if there is a second one to compare them with. */
async function embedPortraits(
  networks: Networks,
  { faces, image, embedding }: FaceSearch,
  isOnlySide: boolean,
): Promise<Embedding[]> {
  const [largest] = faces;
  const peers = faces.filter(({ box }) => box.width >= MIN_PORTRAIT_PEER_SHARE * (largest?.box.width ?? 0));
  if (isOnlySide && peers.length < 2) return [];
  const found: Embedding[] = [];
  for (const face of peers) {
    const isKnown = face === largest && embedding !== null;
    found.push(isKnown ? embedding : await embedAligned(networks, alignFace(image, face.landmarks)));
  }
  return found;
}

/** The bounding box of a face includes the hair, so a face that touches the border of the image is cut off. */
const touchesBorder = ({ x, y, width, height }: Rect, { image }: RecognisedPage): boolean =>
  x <= 0 || y <= 0 || x + width >= image.width || y + height >= image.height;

/**
 * Reads and assesses one side of a document.
 *
 * @param context.today YYYY-MM-DD
 * @param context.isOnlySide whether the document has no image of another side
 */
export async function readSide(
  networks: Networks,
  side: DocumentSide,
  image: ExaminedImage,
  { today, isOnlySide }: { today: string; isOnlySide: boolean },
): Promise<AssessedSide> {
  const page = await runStage('machine-readable zone', () => readPage(networks, image.raster, today));
  // The text determines the rotation of the page; without text every rotation is tried.
  const turns = page.lines.length > 0 ? [page.turn] : undefined;
  const search = await runStage('portrait', () =>
    searchFaces(networks, image.raster, {
      onDocument: true,
      portraitRegion: findPortraitRegion(page),
      width: page.zones.length > 0 ? measureDocumentWidth(page) : 0,
      turned: page,
      embedding: !isOnlySide,
      ...(turns && { turns }),
    }),
  );
  // The largest face is the portrait; ghost images are smaller.
  const face = search.faces.find(({ box }) => box.width >= MIN_PORTRAIT_SHARE * measureDocumentWidth(page));
  const { quality, chroma } = await runStage('quality', () => assessPage(page, image.fullWidth / image.raster.width));
  const captures = await runStage('fine structure', () =>
    image.captures.map(({ squares, origin }) => ({ side, chroma, structure: measureFineStructure(squares), origin })),
  );
  return {
    side,
    page,
    image,
    quality: face === undefined ? quality : { ...quality, cutOff: quality.cutOff || touchesBorder(face.box, page) },
    captures,
    portrait: face
      ? { side, box: toImageBox(face.box, search.turn, image), confidence: Math.round(face.score * 1000) / 1000 }
      : null,
    faceEmbeddings: face ? await runStage('portrait', () => embedPortraits(networks, search, isOnlySide)) : [],
  };
}
