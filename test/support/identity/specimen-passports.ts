import { loadPortrait } from '../../../scripts/demo/photos';
import { makePassports } from '../../../scripts/demo/specimen';
import type { Holder } from '../../../scripts/demo/specimen';
import { findChromium } from '../chromium';

/** Draws one passport of Klara Emilia Martinsdotter of Utopia per argument, each with the given changes. */
export async function makeSpecimenPassports(...changes: Partial<Holder>[]): Promise<Buffer[]> {
  const holder: Holder = {
    surname: 'Martinsdotter',
    givenNames: 'Klara Emilia',
    state: 'UTO',
    documentNumber: 'X42K90617',
    dateOfBirth: '1991-07-23',
    sex: 'F',
    issueDate: '2021-01-11',
    expiryDate: '2031-01-10',
    placeOfBirth: 'Zenith',
    portrait: await loadPortrait('anna'),
  };
  const holders = changes.map((change) => ({ ...holder, ...change }));
  return makePassports(holders, { chromiumPath: await findChromium() });
}

/** The passport of {@link makeSpecimenPassports} without changes. */
export async function makeSpecimenPassport(): Promise<Buffer> {
  const [passport] = await makeSpecimenPassports({});
  if (passport === undefined) throw new Error('The specimen passport was not drawn.');
  return passport;
}
