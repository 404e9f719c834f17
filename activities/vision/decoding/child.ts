// Entry of the decoder process: one image at a time, nothing but decoding. Whatever a crafted file does to the native
// decoders happens here and ends this process alone.
import sharp from 'sharp';
import { decodeRequest } from './protocol';
import type { DecodeReply, DecodeRequest } from './protocol';

sharp.concurrency(1);
sharp.cache(false);
// Only the formats the API accepts: every other loader of libvips is surface without use.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'] });

async function decode({ id, bytes, longSide, minLongSide, maxPixels }: DecodeRequest): Promise<DecodeReply> {
  const image = sharp(bytes, { failOn: 'truncated', limitInputPixels: maxPixels });
  const { autoOrient } = await image.metadata();
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
    width: info.width,
    height: info.height,
    fullWidth: autoOrient.width,
    fullHeight: autoOrient.height,
    data,
  };
}

process.on('message', (message) => {
  const request = decodeRequest.parse(message);
  decode(request)
    .catch((error: unknown): DecodeReply => {
      const reason = error instanceof Error ? error.message : String(error);
      return { id: request.id, ok: false, tooLarge: /pixel limit/i.test(reason), reason };
    })
    .then((reply) => process.send?.(reply))
    .catch(() => process.exit(1));
});

// The parent is gone: nothing will ask again.
process.on('disconnect', () => process.exit(0));
