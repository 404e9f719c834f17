import { existsSync } from 'node:fs';
import sharp from 'sharp';
import { TURNED_HEIC } from '../../support/identity/heic';
import { DecoderPool } from '../../../activities/vision/decoding/pool';

const built = existsSync('dist/activities/vision/decoding/child.js');
const LIMITS = { maxPixels: 50_000_000, timeoutMs: 20_000 };

const createImage = (width: number, height: number): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#258' } })
    .jpeg()
    .toBuffer();

(built ? describe : describe.skip)('the decoder pool', () => {
  let pool: DecoderPool;
  beforeEach(() => {
    pool = new DecoderPool(2, LIMITS);
  });
  afterEach(() => pool.close());

  test('decodes to RGB, upright, within the requested size', async () => {
    const image = await sharp(await createImage(400, 200))
      .withMetadata({ orientation: 6 })
      .toBuffer();
    const decoded = await pool.decode(image, { longSide: 100 });
    expect(decoded).toMatchObject({ fullWidth: 200, fullHeight: 400, raster: { width: 50, height: 100 } });
    expect(decoded.raster.data).toHaveLength(50 * 100 * 3);
  });

  test('decodes HEIC, upright, and applies the limit of pixels before', async () => {
    const { raster, ...size } = await pool.decode(TURNED_HEIC, { longSide: 1000 });
    expect(size).toEqual({ fullWidth: 200, fullHeight: 320 });
    const colours = [0, 199, 200 * 319 + 199, 200 * 319].map((at) => [...raster.data.slice(at * 3, at * 3 + 3)]);
    const near = (...colour: number[]) => colour.map((value) => expect.closeTo(value, -1) as number);
    expect(colours).toEqual([near(30, 30, 200), near(200, 30, 30), near(30, 160, 30), near(250, 250, 250)]);
    const examined = await pool.examine(TURNED_HEIC, { longSide: 100 });
    expect(examined).toMatchObject({ raster: { height: 100 }, origin: { width: 200, height: 320 } });
    const small = new DecoderPool(1, { ...LIMITS, maxPixels: 1000 });
    await expect(small.decode(TURNED_HEIC, { longSide: 50 })).rejects.toMatchObject({ code: 'image_too_large' });
    await small.close();
    await expect(pool.decode(TURNED_HEIC.subarray(0, 600), { longSide: 50 })).rejects.toMatchObject({
      code: 'image_unreadable',
    });
  });

  test('enlarges only below the minimum size', async () => {
    const image = await createImage(40, 20);
    expect((await pool.decode(image, { longSide: 100 })).raster.width).toBe(40);
    expect((await pool.decode(image, { longSide: 100, minLongSide: 80 })).raster.width).toBe(80);
  });

  test('rejects images with more pixels than allowed before decoding', async () => {
    const small = new DecoderPool(1, { ...LIMITS, maxPixels: 1000 });
    await expect(small.decode(await createImage(100, 100), { longSide: 50 })).rejects.toMatchObject({
      code: 'image_too_large',
      status: 413,
    });
    await small.close();
  });

  test('rejects other formats such as SVG', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
    await expect(pool.decode(svg, { longSide: 50 })).rejects.toMatchObject({ code: 'image_unreadable' });
  });

  test('a decoder that crashes fails one job and is replaced', async () => {
    const image = await createImage(4000, 4000);
    const jobs = Array.from({ length: 6 }, () =>
      pool.decode(image, { longSide: 64 }).then(
        () => 'done',
        (error: { code: string }) => error.code,
      ),
    );
    const [child] = pool.processIds();
    process.kill(child ?? 0, 'SIGKILL');
    const outcomes = await Promise.all(jobs);
    expect(outcomes.filter((outcome) => outcome === 'image_decoder_crashed')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(5);
  });

  test('a decoder that exceeds its timeout is killed', async () => {
    const hasty = new DecoderPool(1, { ...LIMITS, timeoutMs: 1 });
    await expect(hasty.decode(await createImage(6000, 6000), { longSide: 64 })).rejects.toMatchObject({
      code: 'image_decoder_crashed',
    });
    await hasty.close();
  });

  test('rejects queued jobs when it is closed', async () => {
    const image = await createImage(3000, 3000);
    const jobs = Array.from({ length: 4 }, () =>
      pool.decode(image, { longSide: 64 }).catch((error: { code: string }) => error.code),
    );
    await pool.close();
    expect(await Promise.all(jobs)).toContain('vision_closed');
  });
});
