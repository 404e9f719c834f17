import type { Browser } from 'puppeteer';
import sharp from 'sharp';
import { makeDemoImages } from '../../scripts/demo/images';
import type { DemoImages } from '../../scripts/demo/images';
import { call, getApiUrl } from '../support/client';
import { choose } from '../support/console-page';
import { createFakeCamera } from '../support/fake-camera';
import type { FakeCamera } from '../support/fake-camera';
import { CompanyRegisters } from '../support/identity/company-registers';
import { createSession, parseCheck, postDecision, postDocument, waitForStatus } from '../support/identity/identity';
import { createSessionWorkflow } from '../support/identity/session-templates';
import { closeTestPlatform, createTenant } from '../support/tenant';
import type { Tenant } from '../support/tenant';
import { EVENT_LIMIT_MS } from '../support/limits';
import { closeWithoutProblems, DESKTOP, openBrowser, openSignedIn, openWindow, PHONE, signIn } from '../support/web';
import type { WebWindow, WindowOptions } from '../support/web';

let tenant: Tenant;
let key: string;
let browser: Browser;
let images: DemoImages;
/** Saves files that pages are given. */
let files: FakeCamera;
let registers: CompanyRegisters;

beforeAll(async () => {
  [tenant, browser, images, files, registers] = await Promise.all([
    createTenant('Records'),
    openBrowser(),
    makeDemoImages(),
    createFakeCamera(),
    CompanyRegisters.start(),
  ]);
  key = tenant.identityKey;
});
afterAll(async () => {
  await Promise.all([browser.close(), files.remove(), registers.stop()]);
  await closeTestPlatform();
});

/** A session whose document has another name than the expected one, so that it waits for a reviewer. */
async function createReviewedSession(): Promise<string> {
  const { id } = await createSession(key, { features: ['id'], expected: { lastName: 'Sample' } });
  parseCheck(await postDocument(key, { sessionId: id, frontImage: images.passport }));
  await waitForStatus(key, id, 'in_review');
  return id;
}

async function expectAccessible(window: WebWindow): Promise<void> {
  expect(await window.findAccessibilityProblems()).toEqual([]);
  await window.page.setViewport(PHONE);
  expect(await window.findAccessibilityProblems()).toEqual([]);
  await window.page.setViewport(DESKTOP);
}

/** Opens a page of the console as an administrator. */
async function openAsAdmin(
  path: string,
  { mode = 'live', ...options }: WindowOptions & { mode?: 'live' | 'test' } = {},
): Promise<WebWindow> {
  const window = await openWindow(browser, options);
  await openSignedIn(window, tenant.admin, path, mode);
  await window.page.locator('main h1').wait();
  return window;
}

test('a session is reported as PDF, shared, and erased with a receipt; its risks are in the language of the console', async () => {
  const id = await createReviewedSession();
  // A picture that is still being read when the session is erased is not found.
  const window = await openAsAdmin(`/console/sessions/${id}`, { expectedStatuses: [401, 404] });
  const { page, context } = window;
  const more = async (item: string): Promise<void> => {
    await page.locator('main button::-p-text(More)').click();
    await page.locator(`[role=menuitem]::-p-text(${item})`).click();
  };
  await page.locator('main ::-p-text(The name differs from the expected one.)').wait();

  const answered = page.waitForResponse((response) => response.url().endsWith(`/v1/sessions/${id}/report`));
  const opened = context.waitForTarget((target) => target.opener() === page.target(), { timeout: EVENT_LIMIT_MS });
  await more('Open the PDF report');
  const { url } = (await (await answered).json()) as { url: string };
  const report = await fetch(getApiUrl() + new URL(url).pathname + new URL(url).search);
  expect(report.headers.get('content-type')).toBe('application/pdf');
  expect(
    Buffer.from(await report.arrayBuffer())
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-');
  await (await (await opened).page())?.close();

  await postDecision(key, id, { decision: 'approve', reason: 'A married name.' });
  await page.reload();
  await page.locator('main button::-p-text(More)').wait();
  await more('Share');
  await page.locator('[role=dialog] textarea').fill('I consent to the transfer.');
  await context.deleteCookie(...(await context.cookies()));
  await page.locator('[role=dialog] button[type=submit]').click();
  await page.locator('::-p-text(what you have typed is kept)').wait();
  await signIn(window, tenant.admin);
  await page.locator('[role=dialog] button[type=submit]').click();
  await page.locator('[role=dialog] ::-p-text(The token can be imported once)').wait();
  await expectAccessible(window);
  const { body } = await call('GET', `/v1/sessions/${id}/shares`, { key });
  expect(body['shares']).toMatchObject([{ status: 'open' }]);
  await page.locator('[role=dialog] li::-p-text(Test admin)').wait();
  await page.keyboard.press('Escape');

  await page.evaluate("localStorage.setItem('vouch-console-language', 'de')");
  await page.reload();
  await page.locator('main ::-p-text(Der Name weicht vom erwarteten ab.)').wait();
  await page.evaluate("localStorage.setItem('vouch-console-language', 'en')");
  await page.reload();

  await page.evaluate(`{
    const create = URL.createObjectURL;
    URL.createObjectURL = (file) => { window.savedReceipt = file.text(); return create(file); };
  }`);
  await more('Erase');
  const { session } = (await call('GET', `/v1/sessions/${id}`, { key })).body as { session: { number: number } };
  await page.locator('[role=dialog] input').fill(String(session.number));
  await page.locator('[role=dialog] button::-p-text(Erase)').click();
  await page.locator('[role=dialog] ::-p-text(Receipt)').wait();
  await page.locator('[role=dialog] button::-p-text(Download)').click();
  await page.waitForFunction('window.savedReceipt !== undefined');
  const receipt = JSON.parse(String(await page.evaluate('window.savedReceipt'))) as { id: string };
  await expectAccessible(window);
  await page.locator('[role=dialog] footer button, [role=dialog] button::-p-text(Close)').click();
  expect((await call('GET', `/v1/erasures/${receipt.id}`, { key })).status).toBe(200);
  expect((await call('GET', `/v1/sessions/${id}`, { key })).status).toBe(404);
  await closeWithoutProblems(window);
});

test('a company is checked, and its page shows register data, officers and owners', async () => {
  const window = await openAsAdmin('/console/companies');
  const { page } = window;
  await page.locator('main input[required]').fill('Harbour Lights');
  await choose(page, 'Country', 'United Kingdom');
  await page.locator('main button[type=submit]').click();
  await page.waitForFunction("location.pathname.startsWith('/console/companies/kyb_')");
  await page.locator('main ::-p-text(HARBOUR LIGHTS LIMITED)').wait();
  await page.locator('main ::-p-text(Edith Anne QUAYLE)').wait();
  const shown = await window.readText('main');
  for (const text of ['4 Quay Street', 'United Kingdom', '50% – 75%', 'Companies House · answered'])
    expect(shown).toContain(text);
  await expectAccessible(window);
  await closeWithoutProblems(window);
});

test('a name is monitored, and a face is added to the index and found', async () => {
  const window = await openAsAdmin('/console/aml/monitors', { mode: 'test' });
  const { page } = window;
  await page.locator('main input[required]').fill('Aurelio Montezuma Quillfeather');
  await page.locator('main button[type=submit]').click();
  await page.locator('main tbody button::-p-text(End)').wait();
  await expectAccessible(window);
  await window.open('/console/faces');
  const selfie = await files.saveFile('selfie.jpg', images.selfie.body);
  const choose = async (position: number, submit: string): Promise<void> => {
    const buttons = await page.$$('main ::-p-aria([name="Picture"][role="button"])');
    // Waits until the button stands still: notices move the page.
    const [chooser] = await Promise.all([page.waitForFileChooser(), buttons[position]?.asLocator().click()]);
    await chooser.accept([selfie]);
    await page.locator(`main button:not([disabled])::-p-text(${submit})`).click();
  };
  await page.locator('main h1').wait();
  await choose(1, 'Add');
  await page.locator('main tbody ::-p-text(Searchable)').wait();
  await choose(0, 'Search');
  await page.locator('main [role=region][aria-label="Similar faces"] tbody ::-p-text(Blocklist)').wait();
  await expectAccessible(window);
  await closeWithoutProblems(window);
});

test('the logo of the capture page is set and removed', async () => {
  const window = await openAsAdmin('/console/branding');
  const { page } = window;
  await page.locator('main ::-p-text(No logo yet)').wait();
  const logo = await sharp({ create: { width: 90, height: 30, channels: 3, background: '#1a73e8' } })
    .png()
    .toBuffer();
  const [chooser] = await Promise.all([
    page.waitForFileChooser(),
    page.locator('main ::-p-aria([name="New logo"][role="button"])').click(),
  ]);
  await chooser.accept([await files.saveFile('logo.png', logo)]);
  await page.locator('main button[type=submit]').click();
  await page.locator('main img[alt="The present logo"]').wait();
  expect((await call('GET', '/v1/branding/logo', { key })).bytes).toEqual(logo);
  await expectAccessible(window);
  await page.locator('main button::-p-text(Remove)').click();
  await page.locator('main ::-p-text(No logo yet)').wait();
  await closeWithoutProblems(window);
});

test('the rule editor stores every threshold that the API accepts, and shows a refused one at its field', async () => {
  const { id } = await createSessionWorkflow(key, {
    name: 'Thresholds',
    thresholds: { liveness: { decline: 20, review: 60 } },
  });
  const window = await openAsAdmin(`/console/session-workflows/${id}`);
  const { page } = window;
  const fill = (label: string, value: string): Promise<void> =>
    page.locator(`::-p-aria([name="${label}"][role="textbox"])`).fill(value);
  await fill('Similarity of faces: review below', '55');
  await fill('Similarity of faces: decline below', '70');
  await fill('Watch lists: review from', '75');
  await fill('Watch lists: decline from', '95');
  await fill('Minimum age', '18');
  await page.locator('main button[type=submit]').click();
  await page.locator('main ::-p-text(decline must not exceed review)').wait();
  // The browser reports the refused change, and nothing else.
  expect(window.problems.splice(0)).toEqual([expect.stringMatching(/status of 400 .*\/sessions\/workflows\/wfl_/)]);
  await fill('Similarity of faces: decline below', '30');
  await page.locator('main button[type=submit]').click();
  await page.locator('::-p-text(Version 2 has been saved)').wait();
  const { body } = await call('GET', `/v1/sessions/workflows/${id}`, { key });
  expect((body['workflow'] as { thresholds: object }).thresholds).toEqual({
    liveness: { decline: 20, review: 60 },
    faceMatch: { decline: 30, review: 55 },
    aml: { review: 75, decline: 95 },
    minimumAge: 18,
  });
  await closeWithoutProblems(window);
});
