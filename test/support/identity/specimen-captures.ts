import sharp from 'sharp';
import { photograph } from '../../../bench/vision/recapture/camera';
import { renderDisplay, renderHalftone, renderPlain } from '../../../bench/vision/recapture/surfaces';
import type { SpecimenPage } from '../../../scripts/demo/specimen';

/** Two pages in one photograph. */
export function combinePages(one: SpecimenPage, other: SpecimenPage, direction: 'beside' | 'below'): SpecimenPage {
  const across = direction === 'beside';
  const layout = `body { display: flex; flex-direction: ${across ? 'row' : 'column'}; gap: 90px; align-items: flex-start }`;
  return {
    html: `${one.html}${other.html}<style>${layout}</style>`,
    width: across ? one.width + other.width : Math.max(one.width, other.width),
    height: across ? Math.max(one.height, other.height) : one.height + other.height,
  };
}

/** A rotated page on a table, photographed in perspective. */
export function layOnTable({ html, width, height }: SpecimenPage): SpecimenPage {
  const askew = `body { padding: 260px 300px }
    .card { transform: perspective(3000px) rotateX(16deg) rotateY(-11deg) rotateZ(8deg) }`;
  return { html: `${html}<style>${askew}</style>`, width: width + 480, height: height + 400 };
}

/** A JPEG of quality 88 (1–100), so that specimens have the artefacts of photographs. */
export const encodeJpeg = (image: sharp.Sharp): Promise<Buffer> => image.jpeg({ quality: 88 }).toBuffer();

/** Glare of a lamp on the laminate over the printed fields. */
export const addGlare = async (image: Buffer): Promise<Buffer> => {
  const spot = `<svg width="1744" height="1263"><defs><radialGradient id="g"><stop offset="0.8" stop-color="#fff"/>
    <stop offset="1" stop-color="#fff" stop-opacity="0"/></radialGradient></defs>
    <ellipse cx="1250" cy="430" rx="420" ry="270" fill="url(#g)"/></svg>`;
  return encodeJpeg(sharp(image).composite([{ input: Buffer.from(spot) }]));
};

/** Keeps the upper left part. @param share of width and height, from 0 to 1; all if undefined */
export const cropImage = async (image: Buffer, share: { width?: number; height?: number }): Promise<Buffer> => {
  const { width, height } = await sharp(image).metadata();
  const part = { width: Math.round(width * (share.width ?? 1)), height: Math.round(height * (share.height ?? 1)) };
  return encodeJpeg(sharp(image).extract({ left: 0, top: 0, ...part }));
};

const CAMERA_SETTINGS = { keystone: 0.04, blur: 0.7, noise: 2.5, quality: 88, seed: 7 } as const;

/** A simulated photograph of the image on a display, 1200 display pixels wide. */
export const photographDisplay = async (image: Buffer): Promise<Buffer> => {
  const displayed = await renderDisplay(image, 1200);
  const [width, height] = [1700, Math.round(displayed.height * 1.42)];
  return photograph(displayed.surface, { ...CAMERA_SETTINGS, width, height, unitsPerPixel: 1 / 1.3, turn: 2 });
};

/** A simulated photograph of a four-colour print, 400 dots wide: 120 dpi on a passport page. */
export const photographPrint = async (image: Buffer): Promise<Buffer> => {
  const print = await renderHalftone(image, 400);
  const [width, height] = [1680, Math.round(print.height * 4.2)];
  return photograph(print.surface, { ...CAMERA_SETTINGS, width, height, unitsPerPixel: 1 / 4, turn: -2 });
};

/** A simulated photograph of the original by the same camera. */
export const photographOriginal = async (image: Buffer): Promise<Buffer> => {
  const { surface, width, height } = await renderPlain(image);
  return photograph(surface, { ...CAMERA_SETTINGS, width, height, unitsPerPixel: 1, turn: 3 });
};

export const YELLOW_LAMP: sharp.Matrix3x3 = [
  [1, 0, 0],
  [0, 0.92, 0],
  [0, 0, 0.7],
];
