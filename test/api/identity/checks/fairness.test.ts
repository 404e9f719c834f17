import {
  parseCheck,
  createFacelessImage,
  createNoisyImage,
  postDocument,
  postLiveness,
  waitForCheck,
} from '../../../support/identity/identity';
import { closeTestPlatform, createIdentityTenant } from '../../../support/tenant';

const FLOOD_SIZE = 8;
/** Checks of the flood that must complete after the other one. In order of arrival, only those running in parallel would. */
const MIN_OVERTAKEN = 3;

afterAll(closeTestPlatform);

test('many documents of one organisation do not delay the check of another', async () => {
  const flooding = await createIdentityTenant('Flood');
  const other = await createIdentityTenant('Other');
  const largeImage = await createNoisyImage(1200, 900);
  const flood = await Promise.all(
    Array.from({ length: FLOOD_SIZE }, async () => {
      const response = await postDocument(flooding.identityKey, { frontImage: { body: largeImage } }, {}, '?wait=0');
      return parseCheck(response, 202).id;
    }),
  );
  const image = { body: await createFacelessImage() };
  const single = await waitForCheck(
    other.identityKey,
    parseCheck(await postLiveness(other.identityKey, { image }, {}, '?wait=0'), 202).id,
  );
  const ends: string[] = [];
  for (const id of flood) {
    const ended = await waitForCheck(flooding.identityKey, id);
    expect(ended.status).toBe('completed');
    ends.push(ended.completedAt ?? '');
  }
  const overtaken = ends.filter((end) => end > (single.completedAt ?? ''));
  expect(overtaken.length).toBeGreaterThanOrEqual(MIN_OVERTAKEN);
});
