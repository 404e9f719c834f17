import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';

/** Size of the pictures of the camera. */
const SIZE = { width: 1600, height: 1200 } as const;

/** The camera of a browser, which shows pictures of the test. */
export interface FakeCamera {
  /** Arguments of Chromium. */
  args: string[];
  /** Shows a picture from the next time on at which a page opens the camera. */
  show(picture: Buffer): Promise<void>;
  /** Saves a file that a page can be given instead. @returns its path */
  saveFile(name: string, body: Buffer): Promise<string>;
  remove(): Promise<void>;
}

const BACKGROUND = { r: 60, g: 66, b: 72 };

/** A picture without anything, for which no shutter releases by itself. */
export const createPlainPicture = (): Promise<Buffer> =>
  sharp({ create: { width: 160, height: 120, channels: 3, background: BACKGROUND } })
    .jpeg()
    .toBuffer();

/** A film of one picture, in the middle of a plain background, as Motion JPEG. */
async function createFilm(picture: Buffer): Promise<Buffer> {
  const background = BACKGROUND;
  const frame = await sharp(picture)
    .resize({ ...SIZE, fit: 'contain', background })
    .flatten({ background })
    .jpeg({ quality: 95, chromaSubsampling: '4:2:0' })
    .toBuffer();
  return Buffer.concat([frame, frame]);
}

/** Creates a camera whose film is a file that Chromium reads whenever a page opens the camera. */
export async function createFakeCamera(): Promise<FakeCamera> {
  const folder = await mkdtemp(path.join(tmpdir(), 'vouch-camera-'));
  const film = path.join(folder, 'film.mjpeg');
  return {
    args: [
      '--use-fake-ui-for-media-stream',
      '--use-fake-device-for-media-stream',
      `--use-file-for-fake-video-capture=${film}`,
    ],
    async show(picture) {
      // Replaced at once, because Chromium may be reading it.
      await writeFile(`${film}.next`, await createFilm(picture));
      await rename(`${film}.next`, film);
    },
    async saveFile(name, body) {
      await writeFile(path.join(folder, name), body);
      return path.join(folder, name);
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
