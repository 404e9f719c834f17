import { RISK_CODES, RISKS } from '../../../../domain/identity/checks/risks';
import { photographPages } from '../../../../scripts/demo/specimen';
import type { SpecimenPage } from '../../../../scripts/demo/specimen';
import { call } from '../../../support/client';
import { findChromium } from '../../../support/chromium';
import { parseCheck, createSession, getSession, postDocument, waitForStatus } from '../../../support/identity/identity';
import type { Check } from '../../../support/identity/identity';
import { ADDITIONAL_RISK_SPECIMENS } from '../../../support/identity/additional-risk-specimens';
import { CLEAN_SPECIMENS, RISK_SPECIMENS } from '../../../support/identity/risk-specimens';
import { loadPortraits } from '../../../support/identity/specimen-documents';
import type { RiskSpecimen, SpecimenImage } from '../../../support/identity/risk-specimens';
import { closeTestPlatform, createIdentityTenant } from '../../../support/tenant';

const specimens: Record<string, RiskSpecimen> = { ...CLEAN_SPECIMENS, ...RISK_SPECIMENS, ...ADDITIONAL_RISK_SPECIMENS };
const imageFiles = new Map<SpecimenImage, Buffer>();

beforeAll(async () => {
  const portraits = await loadPortraits();
  const images = Object.values(specimens).flatMap(({ front, back }) => (back === undefined ? [front] : [front, back]));
  const pages = new Map<SpecimenImage, SpecimenPage>();
  for (const image of images) if (image.page !== undefined) pages.set(image, await image.page(portraits));
  // Many specimens are captures of the same page.
  const different = [...new Map([...pages.values()].map((page) => [JSON.stringify(page), page])).values()];
  const photographs = await photographPages(different, { chromiumPath: await findChromium() });
  const drawn = new Map(different.map((page, index) => [JSON.stringify(page), photographs[index]]));
  for (const image of images) {
    const page = pages.get(image);
    const bytes = page === undefined ? await image.photo?.() : drawn.get(JSON.stringify(page));
    if (bytes === undefined) throw new Error('A specimen has neither page nor picture.');
    imageFiles.set(image, (await image.capture?.(bytes)) ?? bytes);
  }
});
afterAll(closeTestPlatform);

const CLEAN_PASSPORT: SpecimenImage = CLEAN_SPECIMENS['passport']?.front ?? {};

const toFile = (image: SpecimenImage) => ({ body: imageFiles.get(image) ?? Buffer.alloc(0) });

async function createSessionFor(key: string, { expected, workflow }: RiskSpecimen): Promise<{ sessionId?: string }> {
  if (expected === undefined && workflow === undefined) return {};
  const features = ['id'];
  if (workflow === undefined) return { sessionId: (await createSession(key, { features, expected })).id };
  const created = await call('POST', '/v1/sessions/workflows', { key, json: { name: 'Risks', features, ...workflow } });
  expect(created).toMatchObject({ status: 201 });
  const { id: workflowId } = created.body['workflow'] as { id: string };
  return { sessionId: (await createSession(key, { workflowId, ...(expected && { expected }) })).id };
}

// A separate organisation for each document, so that none was used before.
async function send(name: string): Promise<Check> {
  const specimen = specimens[name];
  if (specimen === undefined) throw new Error(`There is no specimen ${name}.`);
  const { front, back } = specimen;
  const key = (await createIdentityTenant(`Specimen ${name}`)).identityKey;
  const form = {
    frontImage: toFile(front),
    ...(back && { backImage: toFile(back) }),
    ...(await createSessionFor(key, specimen)),
  };
  return parseCheck(await postDocument(key, form));
}

const listRiskCodes = ({ risks }: Pick<Check, 'risks'>): string[] => risks.map(({ code }) => code).sort();

describe('a clean document', () => {
  test.each(Object.keys(CLEAN_SPECIMENS))('such as %s raises no risk', async (name) => {
    const check = await send(name);
    expect(listRiskCodes(check)).toEqual([]);
    expect(check).toMatchObject({ status: 'completed', outcome: 'approved' });
  });
});

test('a blurred passport leaves its session open, and the good photo is approved', async () => {
  const key = (await createIdentityTenant('Second capture')).identityKey;
  const { id: sessionId } = await createSession(key, { features: ['id'] });
  const sendFront = async (image: SpecimenImage) =>
    parseCheck(await postDocument(key, { frontImage: toFile(image), sessionId }));
  expect(await sendFront(RISK_SPECIMENS.image_blurred.front)).toMatchObject({
    outcome: 'recapture',
    risks: [{ code: 'image_blurred', action: 'recapture' }],
  });
  expect(await getSession(key, sessionId)).toMatchObject({
    status: 'in_progress',
    steps: [{ feature: 'id', status: 'retry', attemptsLeft: 2 }],
  });
  expect(await sendFront(CLEAN_PASSPORT)).toMatchObject({ outcome: 'approved' });
  expect(await waitForStatus(key, sessionId, 'approved')).toMatchObject({ status: 'approved' });
});

describe('a document made to raise a risk', () => {
  const rows = RISK_CODES.filter((code) => code in RISK_SPECIMENS);

  test.each(rows)('raises %s and no unintended risk', async (code) => {
    const check = await send(code);
    expect(listRiskCodes(check)).toEqual([...(specimens[code]?.raises ?? [])].sort());
    const { severity, message, action } = RISKS[code];
    expect(check.risks).toContainEqual(expect.objectContaining({ code, feature: 'id', severity, message, action }));
  });

  test.each(Object.entries(ADDITIONAL_RISK_SPECIMENS))('raises %s', async (name, { raises }) => {
    expect(listRiskCodes(await send(name))).toEqual([...raises].sort());
  });
});
