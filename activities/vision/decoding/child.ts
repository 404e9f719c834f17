// Entry point of a decoder process: decodes one file at a time. A crafted file that crashes a native decoder ends only
// this process.
import sharp from 'sharp';
import { sniffHeicType } from '../../../lib/heic-structure';
import { isPdf } from '../../../lib/pdf-structure';
import { PdfRejectedError } from '../pdf/reader';
import { readLetterPages, renderFirstPages } from './pdf-pages';
import { decodeHeic } from './heic';
import { readFileOrigin } from './file-origin';
import { extractSquares } from './square-samples';
import { decodeRequestSchema } from './protocol';
import type { DecodeReply, DecodeRequest } from './protocol';

sharp.concurrency(1);
sharp.cache(false);
// Only the formats that the API accepts: every other loader of libvips is unnecessary attack surface.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'] });

type ImageRequest = Extract<DecodeRequest, { kind: 'image' }>;

/** Prepares a file to be opened any number of times: HEIC and the pages of a PDF are decoded once. */
async function readSource({ bytes, maxPixels }: ImageRequest): Promise<() => sharp.Sharp> {
  if (isPdf(bytes)) {
    const { width, height, data } = await renderFirstPages(bytes);
    return () => sharp(data, { raw: { width, height, channels: 3 } });
  }
  if (sniffHeicType(bytes) !== null) {
    const { width, height, data } = await decodeHeic(bytes, maxPixels);
    return () => sharp(data, { raw: { width, height, channels: 4 } });
  }
  return () => sharp(bytes, { failOn: 'truncated', limitInputPixels: maxPixels });
}

async function decodeImage(request: ImageRequest): Promise<DecodeReply> {
  const { id, bytes, longSide, minLongSide, examined } = request;
  const open = await readSource(request);
  const image = open();
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
    // A PDF page was rendered here, so its pixels have no fine structure of a capture.
    squares: examined && !isPdf(bytes) ? await extractSquares(open(), autoOrient, { ...info, data }) : [],
    origin: examined ? readFileOrigin(metadata, isPdf(bytes)) : null,
  };
}

const handleRequest = async (request: DecodeRequest): Promise<DecodeReply> =>
  request.kind === 'image'
    ? decodeImage(request)
    : { id: request.id, ok: true, kind: 'letter', pages: await readLetterPages(request) };

function toErrorReply(id: number, error: unknown): DecodeReply {
  const reason = error instanceof Error ? error.message : String(error);
  if (error instanceof PdfRejectedError) return { id, ok: false, problem: error.code, reason };
  return { id, ok: false, problem: /pixel limit/i.test(reason) ? 'too_large' : 'unreadable', reason };
}

process.on('message', (message) => {
  const request = decodeRequestSchema.parse(message);
  handleRequest(request)
    .catch((error: unknown) => toErrorReply(request.id, error))
    .then((reply) => process.send?.(reply))
    .catch(() => process.exit(1));
});

// The parent process has ended: no further requests will arrive.
process.on('disconnect', () => process.exit(0));
