import { capturePageRoutes } from '../../../../api/identity/capture';
import { notFoundError } from '../../../../domain/errors';
import { CaptureBrowser } from '../../../../models/identity/capture/capture-browser';
import type { CaptureBrowserRecord } from '../../../../models/identity/capture/capture-browser';
import { runUnlessErased } from '../../../../services/identity/capture/capture-state';
import { submitCheck } from '../../../../services/identity/checks/submit-check';
import { checkUpload } from '../../../../services/identity/checks/uploads';
import { call } from '../../../support/client';
import { callAsPage, consent, openCapture } from '../../../support/identity/capture';
import { createFacelessImage, createSession } from '../../../support/identity/identity';
import { closeTestPlatform, createIdentityTenant, getTestPlatform } from '../../../support/tenant';

afterAll(closeTestPlatform);

async function open() {
  const { identityKey: key } = await createIdentityTenant('Erased captures');
  const { id, url } = await createSession(key, { features: ['id', 'liveness', 'poa'] });
  const page = await openCapture(url);
  await consent(page);
  const erase = () => call('DELETE', `/v1/sessions/${id}`, { key });
  return { id, page, erase };
}

test('an erased session is answered as such by every route of the page, which documents it', async () => {
  const { page, erase } = await open();
  expect((await erase()).status).toBe(200);
  const image = { body: await createFacelessImage() };
  // The logo is of the organisation.
  const routes = capturePageRoutes.filter(({ path, permission }) => permission !== 'public' && !path.endsWith('logo'));
  expect(routes.length).toBeGreaterThan(10);
  for (const { method, path, body, bodyExample, files, errors } of routes) {
    const json = body === undefined || files !== undefined ? {} : { json: bodyExample ?? {} };
    const field = Object.keys(files ?? {})[0] ?? '';
    const form = files === undefined ? {} : { form: { [field]: image } };
    const selfie = path.endsWith('/selfie') ? { form: { image, feature: 'age' } } : {};
    const response = await callAsPage(page, method.toUpperCase(), path, { ...json, ...form, ...selfie });
    expect([path, response.status, response.body]).toMatchObject([path, 410, { error: { code: 'session_erased' } }]);
    expect([path, errors?.[410]]).toEqual([path, expect.stringContaining('session_erased')]);
  }
});

test('a session that is erased during an upload is answered as such; other records that are missing are a 404', async () => {
  const { id, erase } = await open();
  const platform = await getTestPlatform();
  const browser = await CaptureBrowser.findOne({ sessionId: id }).lean<CaptureBrowserRecord>().orFail();
  const missing = runUnlessErased(browser, () => Promise.reject(notFoundError('challenge')));
  await expect(missing).rejects.toMatchObject({ status: 404 });
  const uploads = [checkUpload('image', await createFacelessImage())];
  const submitted = runUnlessErased(browser, async () => {
    await erase();
    return submitCheck(platform, browser, browser._id, { kind: 'liveness', uploads, sessionId: id }, undefined);
  });
  await expect(submitted).rejects.toMatchObject({ status: 410, code: 'session_erased' });
});
