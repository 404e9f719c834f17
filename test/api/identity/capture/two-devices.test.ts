import { makeDemoImages } from '../../../../scripts/demo/images';
import type { DemoImages } from '../../../../scripts/demo/images';
import {
  callAsPage,
  consent,
  createCapture,
  openCapture,
  parseState,
  readRefusal,
} from '../../../support/identity/capture';
import type { CapturePage } from '../../../support/identity/capture';
import { createFacelessImage } from '../../../support/identity/identity';
import { pollUntilFound } from '../../../support/poll';
import { closeTestPlatform, createIdentityTenant } from '../../../support/tenant';

let key: string;
let images: DemoImages;

beforeAll(async () => {
  const [tenant, made] = await Promise.all([createIdentityTenant('Two devices'), makeDemoImages()]);
  key = tenant.identityKey;
  images = made;
});
afterAll(closeTestPlatform);

/** A session whose person has opened the page on a computer and on a phone. */
async function openTwoDevices(features: readonly string[]): Promise<[CapturePage, CapturePage]> {
  const { page } = await createCapture(key, { features });
  await consent(page);
  const handOver = await callAsPage(page, 'POST', '/v1/capture/hand-overs');
  return [page, await openCapture((handOver.body['link'] as { url: string }).url)];
}

const readSteps = async (page: CapturePage) => parseState(await callAsPage(page, 'GET', '/v1/capture/state')).steps;

const sendDocument = (page: CapturePage) =>
  callAsPage(page, 'POST', '/v1/capture/document', { form: { frontImage: images.passport } });

test('opening the page on a second device uses no attempt, and two captures of one step at the same time use one', async () => {
  const devices = await openTwoDevices(['id']);
  for (const device of devices) expect(await readSteps(device)).toMatchObject([{ status: 'not_run', attemptsLeft: 3 }]);
  const responses = await Promise.all(devices.map(sendDocument));
  expect(responses.map(({ status }) => status).sort()).toEqual([201, 409]);
  const refused = responses.find(({ status }) => status === 409);
  expect(refused?.body).toMatchObject({ error: { code: 'step_captured', details: { feature: 'id' } } });
  for (const device of devices) expect((await readSteps(device))[0]?.attemptsLeft).toBe(2);
});

test('a step that was passed on one device is not captured again on the other, which sends late', async () => {
  const [computer, phone] = await openTwoDevices(['id', 'liveness']);
  expect((await sendDocument(phone)).status).toBe(201);
  await pollUntilFound(async () => ((await readSteps(computer))[0]?.status === 'passed' ? true : undefined));
  expect(readRefusal(await sendDocument(computer))).toEqual([409, 'step_captured']);
  const front = { form: { frontImage: images.passport } };
  const kept = await callAsPage(computer, 'PUT', '/v1/capture/document/front', front);
  expect(readRefusal(kept)).toEqual([409, 'step_captured']);
  expect((await readSteps(computer))[0]).toMatchObject({ status: 'passed', attemptsLeft: 2 });
});

test('a step that has to be repeated is captured on either device', async () => {
  const devices = await openTwoDevices(['liveness']);
  for (const device of devices) {
    const form = { image: { body: await createFacelessImage() } };
    expect((await callAsPage(device, 'POST', '/v1/capture/liveness', { form })).status).toBe(201);
    await pollUntilFound(async () => ((await readSteps(device))[0]?.status === 'retry' ? true : undefined));
  }
  expect((await readSteps(devices[0]))[0]?.attemptsLeft).toBe(1);
});
