import { makeDemoImages } from '../../scripts/demo/images';
import { call } from '../support/client';
import { closeTestPlatform, createTenant } from '../support/tenant';

const FLOOD = 24;

interface CheckBody {
  check: { id: string; status: string };
}
const checkOf = (body: Record<string, unknown>): CheckBody['check'] => (body as unknown as CheckBody).check;

afterAll(closeTestPlatform);

test('an organisation that floods the vision pool does not starve another’s check', async () => {
  const [loud, quiet] = await Promise.all([createTenant('Loud'), createTenant('Quiet')]);
  const { passport, selfie } = await makeDemoImages();
  const flood: string[] = [];
  for (let index = 0; index < FLOOD; index += 1) {
    const answer = await call('POST', '/v1/documents/id-verification?wait=0', {
      key: loud.identityKey,
      form: { frontImage: passport },
    });
    expect(answer.status).toBe(202);
    flood.push(checkOf(answer.body).id);
  }
  const answer = await call('POST', '/v1/biometrics/liveness?wait=60', {
    key: quiet.identityKey,
    form: { image: selfie },
  });
  expect(checkOf(answer.body).status).toBe('completed');
  const states = await Promise.all(
    flood.map(async (id) => checkOf((await call('GET', `/v1/checks/${id}`, { key: loud.identityKey })).body).status),
  );
  // First come, first served would have answered all of the flood before the quiet organisation's one.
  expect(states.filter((state) => state === 'processing').length).toBeGreaterThan(FLOOD / 4);
});
