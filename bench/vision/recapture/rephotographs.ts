import { createRandom } from '../../random';
import { photograph } from './camera';
import type { Surface } from './camera';
import { renderDisplay, renderHalftone, renderPlain } from './surfaces';
import type { SizedSurface } from './surfaces';

const { cos, exp, max, sin, PI } = Math;

/** What a portrait was photographed from: the document itself, a display that shows it, or a print of it. */
export const REPHOTOGRAPHS = ['document', 'display', 'print'] as const;
export type Rephotograph = (typeof REPHOTOGRAPHS)[number];

type Range = (low: number, high: number) => number;

/** The surface seen from the side, lit unevenly, with other contrast, stray light and sometimes a reflection. */
function lightFromSide({ surface, width, height }: SizedSurface, between: Range): Surface {
  const size = max(width, height);
  const [perspective, stretch] = [between(-0.2, 0.2), between(0.92, 1)];
  const [slope, direction] = [between(0, 0.6), between(0, 2 * PI)];
  const [contrast, gain, stray] = [between(0.8, 1.25), between(0.6, 1.15), between(0, 0.04)];
  const reflection = between(0, 1) < 0.3 ? between(0.1, 0.4) : 0;
  const [reflectionX, reflectionY] = [between(-0.4, 0.4), between(-0.4, 0.4)];
  return (x, y, light) => {
    const near = 1 + (perspective * x) / size;
    surface((x * near) / stretch, y * near, light);
    const lit = gain * max(0, 1 + (2 * slope * (cos(direction) * x + sin(direction) * y)) / size);
    const distance = (x / size - reflectionX) ** 2 + (y / size - reflectionY) ** 2;
    const added = stray + reflection * exp(-distance / 0.02);
    for (let channel = 0; channel < 3; channel += 1) {
      light[channel] = added + lit * max(0, light[channel] ?? 0) ** contrast;
    }
  };
}

/** The rendered portrait and the pixels of the camera per unit of it. */
async function renderPortrait(
  portrait: Buffer,
  kind: Rephotograph,
  between: Range,
): Promise<{ rendered: SizedSurface; scale: number }> {
  if (kind === 'document') return { rendered: await renderPlain(portrait), scale: between(1, 1.4) };
  if (kind === 'display') {
    const columns = Math.round(between(400, 700));
    return { rendered: await renderDisplay(portrait, columns), scale: between(280, 400) / columns };
  }
  const dots = Math.round(between(130, 240));
  return { rendered: await renderHalftone(portrait, dots), scale: between(300, 400) / dots };
}

/** A simulated photograph of a portrait by a hand-held telephone, about 250 to 420 pixels wide. */
export async function rephotographPortrait(portrait: Buffer, kind: Rephotograph, seed: number): Promise<Buffer> {
  const random = createRandom(seed);
  const between: Range = (low, high) => low + (high - low) * random();
  const { rendered, scale } = await renderPortrait(portrait, kind, between);
  return photograph(lightFromSide(rendered, between), {
    turn: between(-8, 8),
    keystone: between(-0.12, 0.12),
    blur: between(0.5, 1.3),
    noise: between(1.5, 4),
    quality: Math.round(between(70, 92)),
    seed,
    width: Math.round(rendered.width * scale * 1.05),
    height: Math.round(rendered.height * scale * 1.05),
    unitsPerPixel: 1 / scale,
  });
}
