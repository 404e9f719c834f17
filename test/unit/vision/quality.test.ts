import { scorePageSharpness } from '../../../activities/vision/documents/quality';
import { ImagePyramid } from '../../../activities/vision/imaging/image-pyramid';

/** Counts the pixels that are sampled from an image of stripes without text. */
function countSampledPixels(width: number, height: number): { pixels: number; sharpness: number } {
  const data = Uint8Array.from({ length: 3 * width * height }, (_, at) => (at % 30 < 15 ? 0 : 255));
  const image = new ImagePyramid({ width, height, data });
  const crop = jest.spyOn(image, 'crop');
  const sharpness = scorePageSharpness(image, []);
  return { pixels: crop.mock.calls.reduce((sum, [, w, h]) => sum + w * h, 0), sharpness };
}

describe('sharpness without text', () => {
  test.each([
    [2400, 1],
    [2400, 5],
    [1500, 1100],
    [1, 2400],
  ])('of an image of %i × %i pixels is measured on a few million pixels', (width, height) => {
    const { pixels, sharpness } = countSampledPixels(width, height);
    expect(pixels).toBeLessThan(4_000_000);
    expect(sharpness).toBeGreaterThan(0);
  });
});
