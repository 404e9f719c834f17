import { call } from '../../../support/client';
import {
  parseCheck,
  createFacelessImage,
  createNoisyImage,
  postDocument,
  postLiveness,
} from '../../../support/identity/identity';
import { closeTestPlatform, createTenant } from '../../../support/tenant';

const FLOOD_SIZE = 12;
/** In order of arrival none of the flood would end after the other's check, but for those in slots beside it. */
const MIN_OVERTAKEN = 3;

afterAll(closeTestPlatform);

test("one organisation's flood of documents does not starve another's check", async () => {
  const flooding = await createTenant('Flood');
  const other = await createTenant('Other');
  const largeImage = await createNoisyImage(1200, 900);
  const flood = await Promise.all(
    Array.from({ length: FLOOD_SIZE }, async () => {
      const response = await postDocument(flooding.identityKey, { frontImage: { body: largeImage } }, {}, '?wait=0');
      return parseCheck(response, 202).id;
    }),
  );
  const image = { body: await createFacelessImage() };
  const single = parseCheck(await postLiveness(other.identityKey, { image }, {}, '?wait=60'));
  const ends: string[] = [];
  for (const id of flood) {
    const ended = parseCheck(await call('GET', `/v1/checks/${id}?wait=60`, { key: flooding.identityKey }), 200);
    expect(ended.status).toBe('completed');
    ends.push(ended.completedAt ?? '');
  }
  const overtaken = ends.filter((end) => end > (single.completedAt ?? ''));
  expect(overtaken.length).toBeGreaterThanOrEqual(MIN_OVERTAKEN);
});
