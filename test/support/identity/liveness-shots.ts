import sharp from 'sharp';
import { loadSelfie } from '../../../scripts/demo/photos';

/** Position of the face in the image of 720 × 900 pixels. */
const FACE = { left: 222, top: 248, width: 274, height: 396 };

/** Frames of a face: frontal, with a patch of skin over the eyes, and cropped to appear closer. */
export async function takeLivenessShots(): Promise<{ neutral: Buffer; blink: Buffer; come_closer: Buffer }> {
  const neutral = await loadSelfie('clara');
  const eyes = { width: Math.round(FACE.width * 0.84), height: Math.round(FACE.height * 0.16) };
  const cheek = { left: FACE.left + 55, top: FACE.top + 218, width: 41, height: 32 };
  const skin = await sharp(neutral).extract(cheek).resize(1, 1).resize(eyes.width, eyes.height).toBuffer();
  const place = { left: Math.round(FACE.left + FACE.width * 0.08), top: Math.round(FACE.top + FACE.height * 0.36) };
  const blink = await sharp(neutral)
    .composite([{ input: skin, ...place }])
    .jpeg()
    .toBuffer();
  const near = { left: FACE.left - 68, top: FACE.top - 79, width: 411, height: 554 };
  const come_closer = await sharp(neutral).extract(near).resize(720).jpeg().toBuffer();
  return { neutral, blink, come_closer };
}
