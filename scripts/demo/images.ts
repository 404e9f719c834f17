import type { File } from './client';
import { portraitOf, selfieOf } from './photos';
import { chromiumPath } from './running-service';
import { makePassports } from './specimen';

export interface DemoImages {
  passport: File;
  /** The holder of the passport, on another picture. */
  selfie: File;
  /** Somebody else. */
  otherSelfie: File;
}

/** The pictures that the demonstration sends: a specimen passport and two selfies. */
export async function makeDemoImages(): Promise<DemoImages> {
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
  const [passport] = await makePassports([holder], { chromiumPath: chromiumPath() });
  if (passport === undefined) throw new Error('No passport was drawn.');
  return {
    passport: { body: passport, name: 'passport.jpg' },
    selfie: { body: await selfieOf('anna'), name: 'selfie.jpg' },
    otherSelfie: { body: await selfieOf('clara'), name: 'selfie.jpg' },
  };
}
