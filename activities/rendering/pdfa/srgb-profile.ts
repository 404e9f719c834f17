import sharp from 'sharp';

let cachedProfile: Promise<Uint8Array> | undefined;

async function createSrgbProfile(): Promise<Uint8Array> {
  const dot = { width: 1, height: 1, channels: 3, background: '#fff' } as const;
  const png = await sharp({ create: dot }).withIccProfile('srgb').png().toBuffer();
  const { icc } = await sharp(png).metadata();
  if (icc === undefined) throw new Error('The image library has no sRGB profile.');
  return icc;
}

/** The sRGB ICC profile of the image library (480 bytes), which defines the colours of the pages. */
export const getSrgbProfile = (): Promise<Uint8Array> => (cachedProfile ??= createSrgbProfile());
