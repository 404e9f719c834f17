import sharp from 'sharp';
import { makeDemoImages } from '../../../../scripts/demo/images';
import type { DemoImages } from '../../../../scripts/demo/images';
import { loadPortrait } from '../../../../scripts/demo/photos';
import { Check } from '../../../../models/identity/checks/check';
import { startOwnApi } from '../../../support/business/own-api';
import type { OwnApi } from '../../../support/business/own-api';
import {
  createSession,
  getSession,
  parseCheck,
  postDecision,
  postDocument,
  postFaceMatch,
  postLiveness,
  waitForStatus,
} from '../../../support/identity/identity';
import type { Session } from '../../../support/identity/identity';
import { pollUntilFound } from '../../../support/poll';
import { listRiskCodes } from '../../../support/identity/risk-codes';
import { drawSpecimen } from '../../../support/identity/specimens';
import { makeSpecimenPassports } from '../../../support/identity/specimen-passports';
import { closeTestPlatform, createIdentityTenant } from '../../../support/tenant';

let own: OwnApi;
let key: string;
let images: DemoImages;
let othersPassport: Buffer;
beforeAll(async () => {
  own = await startOwnApi();
  key = (await createIdentityTenant('Replaced documents')).identityKey;
  images = await makeDemoImages();
  const other = { documentNumber: 'X42K90625', portrait: await loadPortrait('clara') };
  [othersPassport = Buffer.alloc(0)] = await makeSpecimenPassports(other);
});
afterEach(() => jest.restoreAllMocks());
afterAll(async () => {
  await own.close();
  await closeTestPlatform();
});

const findStep = ({ steps }: Session, feature: string) => steps.find((step) => step.feature === feature);

/** A session without liveness, which compares no faces by itself, with the document of the person. */
async function createSessionWithDocument(): Promise<string> {
  // The step of the address keeps the session open.
  const { id: sessionId } = await createSession(key, { features: ['id', 'face_match', 'poa'], externalId: 'holder' });
  parseCheck(await postDocument(key, { sessionId, frontImage: images.passport }));
  return sessionId;
}

const sendOthersPassport = async (sessionId: string): Promise<void> =>
  void parseCheck(await postDocument(key, { sessionId, frontImage: { body: othersPassport } }));

test('a selfie that was compared with the portrait of a replaced document is compared with that of the new one', async () => {
  const sessionId = await createSessionWithDocument();
  const compare = async () => parseCheck(await postFaceMatch(key, { sessionId, userImage: images.selfie }));
  expect(await compare()).toMatchObject({ outcome: 'approved' });
  expect(findStep(await getSession(key, sessionId), 'face_match')).toMatchObject({ status: 'passed' });

  await sendOthersPassport(sessionId);
  const replaced = await getSession(key, sessionId);
  expect(findStep(replaced, 'face_match')).toMatchObject({ status: 'not_run', attempts: 0, attemptsLeft: 3 });
  expect(replaced.results.faceMatch).toBeNull();

  expect(await compare()).toMatchObject({ outcome: 'declined', risks: [{ code: 'face_mismatch' }] });
  expect(findStep(await getSession(key, sessionId), 'face_match')).toMatchObject({ status: 'declined' });
});

test('a comparison with a reference that the client sent is kept when the document is replaced', async () => {
  const sessionId = await createSessionWithDocument();
  const form = { sessionId, userImage: images.selfie, refImage: images.passport };
  expect(parseCheck(await postFaceMatch(key, form))).toMatchObject({ outcome: 'approved' });
  await sendOthersPassport(sessionId);
  expect(findStep(await getSession(key, sessionId), 'face_match')).toMatchObject({ status: 'passed', attempts: 1 });
});

test('a selfie is not compared with the portrait of a document that is replaced while it is stored', async () => {
  const sessionId = await createSessionWithDocument();
  const { objects } = own.platform;
  const put = objects.put.bind(objects);
  jest.spyOn(objects, 'put').mockImplementationOnce(async (...file) => {
    await sendOthersPassport(sessionId);
    await put(...file);
  });
  const form = { sessionId, userImage: images.selfie };
  const { status, body } = await postFaceMatch(key, form, { api: own.url });
  expect([status, body]).toMatchObject([409, { error: { code: 'session_changed' } }]);
  expect(await Check.countDocuments({ sessionId, kind: 'face_match' })).toBe(0);
  const repeated = parseCheck(await postFaceMatch(key, form, { api: own.url }));
  expect(repeated).toMatchObject({ outcome: 'declined', risks: [{ code: 'face_mismatch' }] });
});

test('a document without a national number does not keep the validation of the number on the replaced one', async () => {
  const content = {
    documentCode: 'P',
    issuingState: 'EST',
    name: 'TAMMSALU<<JAAN',
    documentNumber: 'KX4471902',
    nationality: 'EST',
    dateOfBirth: '680528',
    sex: 'M',
    expiryDate: '330314',
  };
  const portrait = await loadPortrait('maria');
  const draw = async (optional: object): Promise<Buffer> =>
    (await drawSpecimen({ format: 'TD3', content: { ...content, ...optional }, portrait })).image;
  const { id: sessionId } = await createSession(key, { features: ['id', 'database', 'poa'] });
  const sendDocument = async (body: Buffer) => parseCheck(await postDocument(key, { sessionId, frontImage: { body } }));
  await sendDocument(await draw({ optional1: '36805280109' }));
  await pollUntilFound(async () => ((await getSession(key, sessionId)).results.database === null ? undefined : true));

  await sendDocument(await draw({}));
  const replaced = await getSession(key, sessionId);
  expect(findStep(replaced, 'database')).toMatchObject({ status: 'not_run', attempts: 0 });
  expect(replaced.results.database).toBeNull();
});

test('a document that is requested again together with the selfie is not compared with the earlier selfie', async () => {
  const portrait = sharp(await loadPortrait('anna'))
    .resize(500)
    .modulate({ brightness: 1.1 });
  const copy = { body: await portrait.jpeg({ quality: 70 }).toBuffer() };
  const { id: sessionId } = await createSession(key, { features: ['id', 'liveness'], externalId: 'holder' });
  const sendPassport = async () => parseCheck(await postDocument(key, { sessionId, frontImage: images.passport }));
  await sendPassport();
  expect(listRiskCodes(parseCheck(await postLiveness(key, { sessionId, image: copy })))).toContain('same_capture');
  await waitForStatus(key, sessionId, 'in_review', 'declined');
  const decision = { decision: 'resubmit', override: true, reason: 'The selfie is a copy.' };
  expect((await postDecision(key, sessionId, decision)).status).toBe(200);

  expect(listRiskCodes(await sendPassport())).not.toContain('same_capture');
  const again = parseCheck(await postLiveness(key, { sessionId, image: copy }));
  expect(listRiskCodes(again)).toContain('same_capture');
});
