import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { TURNED_HEIC } from '../../support/identity/heic';
import { OrganisationBudget } from '../../../activities/vision/decoding/organisation-budget';
import { DecoderPool } from '../../../activities/vision/decoding/pool';
import {
  createBoundlessTextPdf,
  createPathsPdf,
  createPicturePdf,
  insertJpegSegment,
  JPEG_SEGMENT,
} from '../../support/identity/crafted-files';
import { storeFile } from '../../support/identity/stored-files';

const built = existsSync('dist/activities/vision/decoding/child.js');
const createImage = (width: number, height: number): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#258' } })
    .jpeg()
    .toBuffer();

(built ? describe : describe.skip)('the decoder pool', () => {
  let pool: DecoderPool;
  beforeEach(() => {
    pool = new DecoderPool(2);
  });
  afterEach(() => pool.close());

  test('decodes to RGB, upright, within the requested size', async () => {
    const image = await sharp(await createImage(400, 200))
      .withMetadata({ orientation: 6 })
      .toBuffer();
    const decoded = await pool.decode(storeFile(image), { longSide: 100 });
    expect(decoded).toMatchObject({ fullWidth: 200, fullHeight: 400, raster: { width: 50, height: 100 } });
    expect(decoded.raster.data).toHaveLength(50 * 100 * 3);
  });

  test('decodes HEIC, upright, and applies the limit of pixels before', async () => {
    const { raster, ...size } = await pool.decode(storeFile(TURNED_HEIC), { longSide: 1000 });
    expect(size).toEqual({ fullWidth: 200, fullHeight: 320 });
    const colours = [0, 199, 200 * 319 + 199, 200 * 319].map((at) => [...raster.data.slice(at * 3, at * 3 + 3)]);
    const near = (...colour: number[]) => colour.map((value) => expect.closeTo(value, -1) as number);
    expect(colours).toEqual([near(30, 30, 200), near(200, 30, 30), near(30, 160, 30), near(250, 250, 250)]);
    const examined = await pool.examine(storeFile(TURNED_HEIC), { longSide: 100 });
    expect(examined).toMatchObject({
      raster: { height: 100 },
      captures: [{ origin: { width: 200, height: 320 } }],
    });
    const small = new DecoderPool(1, { maxPixels: 1000 });
    await expect(small.decode(storeFile(TURNED_HEIC), { longSide: 50 })).rejects.toMatchObject({
      code: 'image_too_large',
    });
    await small.close();
    await expect(pool.decode(storeFile(TURNED_HEIC.subarray(0, 600)), { longSide: 50 })).rejects.toMatchObject({
      code: 'image_unreadable',
    });
  });

  test('decodes a file as its recorded type only, whatever its content looks like', async () => {
    const image = await createImage(64, 64);
    const picture = createPicturePdf(await createImage(64, 64), 64, 64);
    const carrier = insertJpegSegment(image, JPEG_SEGMENT.comment, picture);
    // PDFium would open this file and find a page of another size.
    expect(await pool.decode({ ...storeFile(carrier), type: 'image/jpeg' }, { longSide: 100 })).toMatchObject({
      fullWidth: 64,
      fullHeight: 64,
    });
    for (const [body, type] of [
      [picture, 'image/jpeg'],
      [image, 'image/png'],
      [image, 'application/pdf'],
      [TURNED_HEIC, 'image/webp'],
    ] as const) {
      await expect(pool.decode({ ...storeFile(body), type }, { longSide: 50 })).rejects.toMatchObject({
        code: type === 'application/pdf' ? 'pdf_unreadable' : 'image_unreadable',
      });
    }
  });

  test.each([false, true])(
    'rejects a JPEG whose scan ends before the picture (progressive: %s)',
    async (progressive) => {
      const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
      const whole = await sharp({ create: { width: 400, height: 300, channels: 3, background: '#808080', noise } })
        .jpeg({ progressive })
        .toBuffer();
      const { raster } = await pool.decode(storeFile(whole), { longSide: 400 });
      expect([raster.width, raster.height]).toEqual([400, 300]);
      for (const part of [0.3, 0.6, 0.95]) {
        const cut = Buffer.concat([whole.subarray(0, Math.floor(whole.length * part)), Buffer.from([0xff, 0xd9])]);
        await expect(pool.decode(storeFile(cut), { longSide: 100 })).rejects.toMatchObject({
          code: 'image_unreadable',
        });
      }
    },
  );

  test('enlarges only below the minimum size', async () => {
    const image = await createImage(40, 20);
    expect((await pool.decode(storeFile(image), { longSide: 100 })).raster.width).toBe(40);
    expect((await pool.decode(storeFile(image), { longSide: 100, minLongSide: 80 })).raster.width).toBe(80);
  });

  test('rejects images with more pixels than allowed before decoding', async () => {
    const small = new DecoderPool(1, { maxPixels: 1000 });
    await expect(small.decode(storeFile(await createImage(100, 100)), { longSide: 50 })).rejects.toMatchObject({
      code: 'image_too_large',
      status: 413,
    });
    await small.close();
  });

  test('rejects other formats such as SVG', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
    await expect(pool.decode(storeFile(svg), { longSide: 50 })).rejects.toMatchObject({ code: 'image_unreadable' });
  });

  test('a decoder that crashes fails one job and is replaced', async () => {
    const image = await createImage(4000, 4000);
    const jobs = Array.from({ length: 6 }, () =>
      pool.decode(storeFile(image), { longSide: 64 }).then(
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

  test.each([
    // However long that takes: on a busy machine, a decoder that has hardly run would count as one that hangs.
    ['processor time', { maxSeconds: { image: 0.05, pdf: 0.05 }, maxSlowdown: Infinity }, 'seconds'],
    ['memory', { maxBytes: 1024 * 1024 }, 'memory'],
  ])('a file that needs more %s than one may use is refused with its code', async (_what, limits, resource) => {
    const strict = new DecoderPool(1, limits);
    // A progressive JPEG is decoded at full size: that takes several times the interval between two measurements.
    const image = await sharp({ create: { width: 6000, height: 6000, channels: 3, background: '#258' } })
      .jpeg({ progressive: true })
      .toBuffer();
    await expect(strict.decode(storeFile(image), { longSide: 64 })).rejects.toMatchObject({
      code: 'file_too_complex',
      status: 413,
      details: { resource },
    });
    await strict.close();
  });

  test('a decoder reads files of one organisation only, and is replaced after a number of files', async () => {
    const single = new DecoderPool(1, { filesPerProcess: 2 });
    const image = await createImage(64, 64);
    const readBy: [string, number | undefined][] = [];
    for (const organisation of ['a', 'a', 'a', 'b', 'a']) {
      await single.decode(storeFile(image, organisation), { longSide: 64 });
      readBy.push([organisation, single.processIds()[0]]);
    }
    const pids = readBy.map(([, pid]) => pid);
    expect(pids[0]).toBe(pids[1]);
    expect(new Set(pids).size).toBe(4);
    // The built-in test image may be read by any process.
    await single.decode({ organisationId: null, type: 'image/jpeg', body: image }, { longSide: 64 });
    expect(single.processIds()).toEqual([pids[4]]);
    await single.close();
  });

  test.each([
    ['objects on a page', createPathsPdf(30_000), 'file_too_complex'],
    ['pixels in a picture', createPicturePdf(Buffer.alloc(0), 60_000, 60_000), 'image_too_large'],
  ])('a PDF with too many %s is refused before it is rendered', async (_what, body, code) => {
    await expect(pool.decode(storeFile(body), { longSide: 100 })).rejects.toMatchObject({ code, status: 413 });
    const limits = { maxPages: 1, minCharacters: 1, longSide: 100 };
    await expect(pool.readLetter(storeFile(body), limits)).rejects.toMatchObject({ code, status: 413 });
  });

  test('a decoder that sends anything but a reply fails its file alone', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'decoder-'));
    const script = path.join(folder, 'taken-over.cjs');
    await writeFile(script, 'const send = process.send.bind(process); process.send = () => send({ ok: true });');
    const options = process.env['NODE_OPTIONS'];
    process.env['NODE_OPTIONS'] = `--require ${script}`;
    try {
      await expect(pool.decode(storeFile(await createImage(9, 9)), { longSide: 9 })).rejects.toMatchObject({
        code: 'image_decoder_crashed',
      });
    } finally {
      if (options === undefined) delete process.env['NODE_OPTIONS'];
      else process.env['NODE_OPTIONS'] = options;
      // The next decoder is started ahead with the script.
      await pool.close();
      await rm(folder, { recursive: true });
    }
  });

  test('text of a PDF beyond the range of numbers is left out, instead of ending the worker', async () => {
    const limits = { maxPages: 1, minCharacters: 0, longSide: 100 };
    expect(await pool.readLetter(storeFile(createBoundlessTextPdf()), limits)).toMatchObject([{ runs: [] }]);
  });

  test('organisations take turns: many files of one delay those of another by one', async () => {
    const single = new DecoderPool(1);
    const image = await createImage(64, 64);
    const order: string[] = [];
    const decode = (organisation: string) =>
      single.decode(storeFile(image, organisation), { longSide: 64 }).then(() => order.push(organisation));
    await Promise.all([...Array.from({ length: 6 }, () => decode('flood')), decode('other')]);
    expect(order.indexOf('other')).toBe(1);
    await single.close();
  });

  test('files of an organisation that used up its processor time are delayed, and those of others are not', async () => {
    const budget = new OrganisationBudget();
    budget.charge('flood', 100);
    const single = new DecoderPool(1, {}, budget);
    const image = await createImage(64, 64);
    await expect(single.decode(storeFile(image, 'flood'), { longSide: 64 })).rejects.toMatchObject({
      code: 'decoding_delayed',
      status: 429,
      details: { retryAfterSeconds: expect.any(Number) as number },
    });
    const { raster } = await single.decode(storeFile(image, 'other'), { longSide: 64 });
    expect([raster.width, raster.height]).toEqual([64, 64]);
    await single.close();
  });

  test('rejects queued jobs when it is closed', async () => {
    const image = await createImage(3000, 3000);
    const jobs = Array.from({ length: 4 }, () =>
      pool.decode(storeFile(image), { longSide: 64 }).catch((error: { code: string }) => error.code),
    );
    await pool.close();
    expect(await Promise.all(jobs)).toContain('vision_closed');
  });
});
