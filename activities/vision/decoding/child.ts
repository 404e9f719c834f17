// Entry of the decoder process: one file at a time, nothing but decoding. Whatever a crafted file does to the native
// decoders happens here and ends this process alone.
import sharp from 'sharp';
import { isPdf } from '../../../lib/pdf-structure';
import { PdfRejectedError } from '../pdf/reader';
import { readLetterPages, renderFirstPages } from './pdf-pages';
import { readFileOrigin } from './file-origin';
import { extractSquares } from './square-samples';
import { decodeRequestSchema } from './protocol';
import type { DecodeReply, DecodeRequest } from './protocol';

sharp.concurrency(1);
sharp.cache(false);
// Only the formats the API accepts: every other loader of libvips is surface without use.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'] });

type ImageRequest = Extract<DecodeRequest, { kind: 'picture' }>;

async function openImage({ bytes, maxPixels }: ImageRequest): Promise<sharp.Sharp> {
  if (!isPdf(bytes)) return sharp(bytes, { failOn: 'truncated', limitInputPixels: maxPixels });
  const { width, height, data } = await renderFirstPages(bytes);
  return sharp(data, { raw: { width, height, channels: 3 } });
}

async function decodeImage(request: ImageRequest): Promise<DecodeReply> {
  const { id, bytes, longSide, minLongSide, examined } = request;
  const image = await openImage(request);
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
    kind: 'picture',
    width: info.width,
    height: info.height,
    fullWidth: autoOrient.width,
    fullHeight: autoOrient.height,
    data,
    // The picture of a PDF was drawn here: it has no structure of its own.
    squares:
      examined && !isPdf(bytes) ? await extractSquares(await openImage(request), autoOrient, { ...info, data }) : [],
    origin: examined ? readFileOrigin(metadata, isPdf(bytes)) : null,
  };
}

const handleRequest = async (request: DecodeRequest): Promise<DecodeReply> =>
  request.kind === 'picture'
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

// The parent is gone: nothing will ask again.
process.on('disconnect', () => process.exit(0));
