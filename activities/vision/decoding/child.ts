// Entry point of a decoder process: decodes one file at a time. A crafted file that crashes a native decoder ends only
// this process. What only some formats need is imported when a file of one arrives: a decoder starts for each organisation.
import sharp from 'sharp';
import type { Raster } from '../imaging/raster';
import { PdfRejectedError } from '../pdf/rejection';
import type { PdfPicture } from '../pdf/pictures';
import { readFileOrigin } from './file-origin';
import { cropSquares, extractSquares } from './square-samples';
import type { DecodeReply, ExaminedCapture } from './protocol';
import { isDecodeRequest } from './requests';
import type { DecodeRequest } from './requests';

sharp.concurrency(1);
sharp.cache(false);
// Only the formats that the API accepts: every other loader of libvips is unnecessary attack surface.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'] });

type ImageRequest = Extract<DecodeRequest, { kind: 'image' }>;

/** What libvips reports about a JPEG whose scan ends before the image does; the rest of the picture would be grey. */
const CUT_OFF_SCAN = /premature end of (data segment|JPEG)/i;

/** Decodes an image as the recorded format and as no other, whatever its content looks like. */
async function openImage({ type, bytes, maxPixels }: ImageRequest): Promise<() => sharp.Sharp> {
  const open = (): sharp.Sharp => sharp(bytes, { failOn: 'truncated', limitInputPixels: maxPixels });
  const { format } = await open().metadata();
  if (`image/${format}` !== type) throw new Error(`the file is ${format} and not ${type}`);
  return open;
}

/** A file that can be opened any number of times: HEIC and the pages of a PDF are decoded once. */
interface Source {
  open: () => sharp.Sharp;
  /** the pictures in a PDF */
  pictures: PdfPicture[];
}

async function readSource(request: ImageRequest): Promise<Source> {
  const { type, bytes, maxPixels } = request;
  switch (type) {
    case 'application/pdf': {
      const { renderFirstPages } = await import('./pdf-pages.js');
      const { page, pictures } = await renderFirstPages(bytes, request);
      const { width, height, data } = page;
      return { open: () => sharp(data, { raw: { width, height, channels: 3 } }), pictures };
    }
    case 'image/heic':
    case 'image/heif': {
      const { decodeHeic } = await import('./heic.js');
      const { width, height, data } = await decodeHeic(bytes, maxPixels);
      return { open: () => sharp(data, { raw: { width, height, channels: 4 } }), pictures: [] };
    }
    case 'image/jpeg':
    case 'image/png':
    case 'image/webp':
      return { open: await openImage(request), pictures: [] };
  }
}

async function decodeImage(request: ImageRequest): Promise<DecodeReply> {
  const { id, longSide, minLongSide, examined } = request;
  const { open, pictures } = await readSource(request);
  const image = open();
  let cutOff = false;
  image.on('warning', (warning: string) => {
    cutOff ||= CUT_OFF_SCAN.test(warning);
  });
  const metadata = await image.metadata();
  const { autoOrient } = metadata;
  const side = Math.min(longSide, Math.max(minLongSide, autoOrient.width, autoOrient.height));
  const { data, info } = await image
    .autoOrient()
    .resize(side, side, {
      fit: 'inside',
      kernel: side > Math.max(autoOrient.width, autoOrient.height) ? 'cubic' : 'mitchell',
    })
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  if (cutOff) throw new Error('the image is cut off');
  if (info.channels !== 3) throw new Error(`unexpected ${info.channels} channels`);
  return {
    id,
    ok: true,
    kind: 'image',
    width: info.width,
    height: info.height,
    fullWidth: autoOrient.width,
    fullHeight: autoOrient.height,
    data,
    captures: examined ? await listCaptures(request, pictures, { open, metadata, decoded: { ...info, data } }) : [],
  };
}

/**
 * What is examined for a recapture: the file, or the pictures in a PDF. The rendered page of a PDF has no fine structure
 * of a capture, the pictures on it do.
 */
async function listCaptures(
  { type }: ImageRequest,
  pictures: readonly PdfPicture[],
  { open, metadata, decoded }: { open: () => sharp.Sharp; metadata: sharp.Metadata; decoded: Raster },
): Promise<ExaminedCapture[]> {
  const { autoOrient } = metadata;
  if (type !== 'application/pdf') {
    return [{ squares: await extractSquares(open(), autoOrient, decoded), origin: readFileOrigin(metadata) }];
  }
  const page: ExaminedCapture = {
    squares: [],
    origin: { format: 'pdf', width: autoOrient.width, height: autoOrient.height, namedScreenshot: false },
  };
  const captures = pictures.map(({ raster, lossless }): ExaminedCapture => {
    const { width, height } = raster;
    return {
      squares: cropSquares(raster),
      origin: { format: lossless ? 'png' : 'jpeg', width, height, namedScreenshot: false },
    };
  });
  return [page, ...captures];
}

async function handleRequest(request: DecodeRequest): Promise<DecodeReply> {
  if (request.kind === 'image') return decodeImage(request);
  const { readLetterPages } = await import('./pdf-pages.js');
  return { id: request.id, ok: true, kind: 'letter', pages: await readLetterPages(request) };
}

function toErrorReply(id: number, error: unknown): DecodeReply {
  const reason = error instanceof Error ? error.message : String(error);
  if (error instanceof PdfRejectedError) return { id, ok: false, problem: error.code, reason };
  return { id, ok: false, problem: /pixel limit/i.test(reason) ? 'too_large' : 'unreadable', reason };
}

process.on('message', (message) => {
  if (!isDecodeRequest(message)) throw new Error('The message is not a request to decode.');
  handleRequest(message)
    .catch((error: unknown) => toErrorReply(message.id, error))
    .then((reply) => process.send?.(reply))
    .catch(() => process.exit(1));
});

// The parent process has ended: no further requests will arrive.
process.on('disconnect', () => process.exit(0));
