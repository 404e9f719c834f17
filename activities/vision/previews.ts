import sharp from 'sharp';
import { getRenditionForWorkflow, storeRendition } from '../../services/identity/reports/evidence-renditions';
import { readStoredFile } from '../../services/platform/evidence/evidence';
import type { Platform } from '../../services/platform/platform';
import { withHeartbeat } from '../heartbeat';
import type { VisionEngine } from './engine';
import type { Raster } from './imaging/raster';

const QUALITY = 82;

const encodeJpeg = ({ data, width, height }: Raster): Promise<Buffer> =>
  sharp(data, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: QUALITY, mozjpeg: true })
    .toBuffer();

/** Activities that render previews of uploaded images. */
export const createPreviewActivities = (platform: Platform, engine: Pick<VisionEngine, 'decode'>) => ({
  /** Decodes an image in a decoder process and encodes its pixels again, which drops all other content of the file. */
  renderPreview: ({ renditionId }: { renditionId: string }): Promise<void> =>
    withHeartbeat(async () => {
      const rendition = await getRenditionForWorkflow(renditionId);
      if (rendition.status === 'stored') return;
      const source = await readStoredFile(platform, rendition, rendition.source);
      const preview = await encodeJpeg(await engine.decode(source));
      await storeRendition(platform, rendition, { body: preview, contentType: 'image/jpeg' });
    }),
});

export type PreviewActivities = ReturnType<typeof createPreviewActivities>;
