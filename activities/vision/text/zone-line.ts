import type { Networks } from '../inference/networks';
import type { ImagePyramid } from '../imaging/image-pyramid';
import type { Raster } from '../imaging/raster';
import { toGreyTensor } from '../imaging/tensor';
import type { TextLine } from './detector';
import { toZoneEmissions } from './forced-decoding';
import type { ZoneEmissions } from './forced-decoding';
import { extractLineStrip } from './recogniser';

/** Height of the input of the recogniser of machine-readable zones. */
const ZONE_LINE_HEIGHT = 32;
/** Width of a strip per character, for which the recogniser was trained. */
const PIXELS_PER_CHARACTER = 15.5;
/**
 * Height of a strip in heights of a detected line, which is little more than that of capitals: the recogniser was
 * trained with capitals of 13 to 23 pixels.
 */
const MARGIN = 1.55;
/** Pixels per step of the output. */
const STEP = 4;

/** Extracts a row of a zone of `characters` characters as input of its recogniser. */
export const extractZoneStrip = (image: ImagePyramid, row: TextLine, characters: number): Raster =>
  extractLineStrip(
    image,
    { ...row, height: row.height * MARGIN },
    STEP * Math.round((characters * PIXELS_PER_CHARACTER) / STEP),
    ZONE_LINE_HEIGHT,
  );

/** Runs the recogniser of machine-readable zones, which knows no other characters, on a strip. */
export async function recogniseZoneLine(networks: Networks, strip: Raster): Promise<ZoneEmissions> {
  const tensor = toGreyTensor(strip, 127.5);
  for (let index = 0; index < tensor.length; index += 1) tensor[index] = (tensor[index] ?? 0) - 1;
  const output = await networks.runFirstOutput('mrz_recogniser', tensor, [1, 1, ZONE_LINE_HEIGHT, strip.width]);
  return toZoneEmissions(output);
}
