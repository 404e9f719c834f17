import type { File } from './client';
import { portraitOf, selfieOf } from './photos';
import { makePassports } from './specimen';

export interface DemoImages {
  passport: File;
  /** The holder of the passport, on another picture. */
  selfie: File;
  /** Somebody else. */
  otherSelfie: File;
}

/** The pictures that the demonstration sends: a specimen passport and two selfies. Needs CHROMIUM_PATH. */
export async function makeDemoImages(): Promise<DemoImages> {
  const chromiumPath = process.env['CHROMIUM_PATH'];
  if (chromiumPath === undefined)
    throw new Error('CHROMIUM_PATH: names the browser that draws the specimen; npm start sets it.');
  const holder = {
    surname: 'Eriksson',
    givenNames: 'Anna Maria',
    state: 'UTO',
    documentNumber: 'L898902C3',
    dateOfBirth: '1994-08-12',
    sex: 'F' as const,
    issueDate: '2024-04-16',
    expiryDate: '2034-04-15',
    placeOfBirth: 'Zenith',
    portrait: await portraitOf('anna'),
  };
  const [passport] = await makePassports([holder], { chromiumPath });
  if (passport === undefined) throw new Error('No passport was drawn.');
  return {
    passport: { body: passport, name: 'passport.jpg' },
    selfie: { body: await selfieOf('anna'), name: 'selfie.jpg' },
    otherSelfie: { body: await selfieOf('clara'), name: 'selfie.jpg' },
  };
}
