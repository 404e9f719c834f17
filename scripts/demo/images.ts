import type { File } from './client';
import { loadPortrait, loadSelfie } from './photos';
import { findChromiumPath } from './running-service';
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
    portrait: await loadPortrait('anna'),
  };
  const [passport] = await makePassports([holder], { chromiumPath: findChromiumPath() });
  if (passport === undefined) throw new Error('No passport was drawn.');
  return {
    passport: { body: passport, name: 'passport.jpg' },
    selfie: { body: await loadSelfie('anna'), name: 'selfie.jpg' },
    otherSelfie: { body: await loadSelfie('clara'), name: 'selfie.jpg' },
  };
}
