import type { DocumentQuality, DocumentResult, DocumentSide } from '../../../domain/identity/documents/result';
import type { CaptureTraits } from '../../../domain/identity/documents/recapture';
import type { ExaminedImage } from '../decoding/pool';
import { alignFace, embedAligned } from '../faces/embedding';
import type { Embedding } from '../faces/embedding';
import { searchFaces } from '../faces/search';
import type { FaceSearch } from '../faces/search';
import type { Networks } from '../inference/networks';
import { toImageBox } from '../imaging/coordinates';
import type { Rect } from '../imaging/raster';
import type { RecognisedSide } from './fields';
import { readPage } from './mrz-page';
import type { RecognisedPage } from './mrz-page';
import { assessPage } from './quality';
import { measureFineStructure } from './recapture';

/** One side of a document, read and judged. */
export interface AssessedSide extends RecognisedSide {
  quality: DocumentQuality;
  portrait: DocumentResult['portrait'];
  /** the portrait and any other face of about its size, as the network sees them */
  faceEmbeddings: Embedding[];
  capture: CaptureTraits;
}

/** A face narrower than this share of the document is no portrait but part of the print. */
const MIN_PORTRAIT_SHARE = 0.06;

/** Ghost images repeat the portrait smaller: faces at least this wide against the largest are portraits of their own. */
const MIN_PORTRAIT_PEER_SHARE = 0.6;

/** Width of the document in its picture, by its zone or its text: it may lie small on a table. */
function measureDocumentWidth({ zones: [zone], lines, image }: RecognisedPage): number {
  if (zone !== undefined) return Math.max(...zone.rows.map(({ length }) => length));
  const left = Math.min(...lines.map(({ x, length }) => x - length / 2));
  const right = Math.max(...lines.map(({ x, length }) => x + length / 2));
  return lines.length < 3 ? image.width : right - left;
}

async function embedPortraits(networks: Networks, { faces, image, embedding }: FaceSearch): Promise<Embedding[]> {
  const [largest, ...others] = faces;
  if (largest === undefined || embedding === null) return [];
  const found = [embedding];
  for (const { box, landmarks } of others) {
    if (box.width < MIN_PORTRAIT_PEER_SHARE * largest.box.width) continue;
    found.push(await embedAligned(networks, alignFace(image, landmarks)));
  }
  return found;
}

/** Faces are found to their hair: one that touches the border of the picture is cut by it. */
const touchesBorder = ({ x, y, width, height }: Rect, { image }: RecognisedPage): boolean =>
  x <= 0 || y <= 0 || x + width >= image.width || y + height >= image.height;

/** @param today YYYY-MM-DD */
export async function readSide(
  networks: Networks,
  side: DocumentSide,
  image: ExaminedImage,
  today: string,
): Promise<AssessedSide> {
  const page = await readPage(networks, image.raster, today);
  // The text says which way up the page is; without text any turn may be right.
  const turns = page.lines.length > 0 ? [page.turn] : undefined;
  const search = await searchFaces(networks, image.raster, { onDocument: true, ...(turns && { turns }) });
  // The largest face is the portrait: ghost images repeat it smaller.
  const face = search.faces.find(({ box }) => box.width >= MIN_PORTRAIT_SHARE * measureDocumentWidth(page));
  const { quality, chroma } = assessPage(page, image.fullWidth / image.raster.width);
  return {
    side,
    page,
    image,
    quality: face === undefined ? quality : { ...quality, cutOff: quality.cutOff || touchesBorder(face.box, page) },
    capture: { side, chroma, structure: measureFineStructure(image.squares), origin: image.origin },
    portrait: face
      ? { side, box: toImageBox(face.box, search.turn, image), confidence: Math.round(face.score * 1000) / 1000 }
      : null,
    faceEmbeddings: face ? await embedPortraits(networks, search) : [],
  };
}
