import { parseAamva } from '../../../domain/identity/documents/aamva';
import type { BarcodeReading } from '../../../domain/identity/documents/result';
import { findPdf417 } from '../barcodes/pdf417';
import { toImageBox } from '../imaging/coordinates';
import type { RecognisedSide } from './fields';

/** Tilt of the text of a page in radians, weighted by the length of the lines. */
function computeTilt({ page: { lines } }: RecognisedSide): number {
  const weight = lines.reduce((sum, { length }) => sum + length, 0);
  return weight === 0 ? 0 : lines.reduce((sum, { angle, length }) => sum + angle * length, 0) / weight;
}

/** Reads a PDF417 symbol from the sides; one in AAMVA format takes precedence. */
export async function readBarcode(sides: readonly RecognisedSide[]): Promise<BarcodeReading | null> {
  let best: BarcodeReading | null = null;
  // Driving licences have it on the back.
  for (const from of [...sides].reverse()) {
    const found = await findPdf417(from.page.image.raster, computeTilt(from));
    if (found === null) continue;
    const aamva = found.text === null ? null : parseAamva(found.text);
    const reading: BarcodeReading = {
      symbology: 'PDF417',
      side: from.side,
      aamva,
      valid: found.text !== null && (aamva === null || aamva.faults.length === 0),
      box: toImageBox(found.box, from.page.turn, from.image),
    };
    if (aamva !== null) return reading;
    best ??= reading;
  }
  return best;
}
