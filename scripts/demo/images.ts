import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { File } from './client';
import { loadPortrait, loadSelfie } from './photos';
import { findChromiumPath, usesChromiumSandbox } from './running-service';
import { makePassports } from './specimen';

export interface DemoImages {
  passport: File;
  /** The holder of the passport, on another photograph. */
  selfie: File;
  /** Another person. */
  otherSelfie: File;
}

/** The images that the demonstration sends: a specimen passport and two selfies. */
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
  const [passport] = await makePassports([holder], {
    chromiumPath: findChromiumPath(),
    sandbox: usesChromiumSandbox(),
  });
  if (passport === undefined) throw new Error('No passport was rendered.');
  return {
    passport: { body: passport, name: 'passport.jpg' },
    selfie: { body: await loadSelfie('anna'), name: 'selfie.jpg' },
    otherSelfie: { body: await loadSelfie('clara'), name: 'selfie.jpg' },
  };
}

/** Saves the images, so that the examples of the documentation work as they stand. */
export async function saveDemoImages({ passport, selfie, otherSelfie }: DemoImages, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'passport.jpg'), passport.body);
  await writeFile(path.join(folder, 'selfie.jpg'), selfie.body);
  await writeFile(path.join(folder, 'other-selfie.jpg'), otherSelfie.body);
}
