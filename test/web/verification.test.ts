import type { Browser } from 'puppeteer';
import { makeDemoImages } from '../../scripts/demo/images';
import type { DemoImages } from '../../scripts/demo/images';
import {
  createSession,
  getSession,
  parseCheck,
  postDocument,
  postLiveness,
  waitForStatus,
} from '../support/identity/identity';
import { call } from '../support/client';
import { awaitClosedDialog, awaitOpenDialog, sendDialog } from '../support/console-page';
import { createSessionWorkflow } from '../support/identity/session-templates';
import { closeTestPlatform, createTenant } from '../support/tenant';
import type { Tenant } from '../support/tenant';
import { closeWithoutProblems, DESKTOP, openBrowser, openSignedIn, openWindow, PHONE, signIn } from '../support/web';
import type { WebWindow } from '../support/web';

/** A person on the fictional list that test mode searches. */
const LISTED_NAME = 'Aurelio Montezuma Quillfeather';

let tenant: Tenant;
let key: string;
let browser: Browser;
let images: DemoImages;
/** Waits for a reviewer with pictures of everything, and with a document alone. */
let complete: string;
let documentOnly: string;

/** A name on the document that differs from the expected one sends the session to review. */
async function createReviewedSession(features: readonly string[], externalId: string): Promise<string> {
  const { id } = await createSession(key, { features, externalId, expected: { lastName: 'Sample' } });
  parseCheck(await postDocument(key, { sessionId: id, frontImage: images.passport }));
  if (features.includes('liveness')) parseCheck(await postLiveness(key, { sessionId: id, image: images.selfie }));
  await waitForStatus(key, id, 'in_review');
  return id;
}

beforeAll(async () => {
  [tenant, browser, images] = await Promise.all([createTenant('Verification'), openBrowser(), makeDemoImages()]);
  key = tenant.identityKey;
  complete = await createReviewedSession(['id', 'liveness', 'face_match'], 'customer-1');
  documentOnly = await createReviewedSession(['id'], 'customer-2');
});
afterAll(async () => {
  await browser.close();
  await closeTestPlatform();
});

async function expectAccessible(window: WebWindow): Promise<void> {
  expect(await window.findAccessibilityProblems()).toEqual([]);
  await window.page.setViewport(PHONE);
  expect(await window.findAccessibilityProblems()).toEqual([]);
  await window.page.setViewport(DESKTOP);
}

describe('the session page', () => {
  test('shows pictures, fields by source, faces, risks in words and the timeline, and records the views', async () => {
    const window = await openWindow(browser);
    const { page } = window;
    await openSignedIn(window, await tenant.createIdentityUser('reviewer'), `/console/sessions/${complete}`);
    await page.locator('svg[aria-label="Front"] image').wait();
    await page.locator('svg[aria-label="Portrait on the document"] image').wait();
    await page.locator('svg[aria-label="Selfie"] image').wait();
    const text = await window.readText('main');
    expect(text).toContain('The name differs from the expected one.');
    expect(text).toContain('Machine-readable zone');
    expect(text).toContain('The faces match');
    expect(text).toContain('First capture');
    await page.locator('main textarea').fill('Called the person.');
    await page.locator('main button::-p-text(Add the note)').click();
    await page.locator('.mantine-Timeline-item::-p-text(Called the person.)').wait();
    expect((await getSession(key, complete)).notes).toMatchObject([{ text: 'Called the person.' }]);
    // The place of a field on the picture is shown without a mouse, too.
    await page.focus('::-p-aria([name="Last name: show it on the picture"][role="button"])');
    await page.locator('svg[aria-label="Front"] rect[fill-opacity="0.35"]').wait();
    expect(text).toMatch(/ERIKSSON\d+%/);
    expect(text).toContain('how certainly it was read');
    await page.locator('::-p-aria(Turn Front)').click();
    await page.locator('::-p-aria(Enlarge Front)').click();
    await expectAccessible(window);
    await closeWithoutProblems(window);
    const { body } = await call('GET', '/v1/audit-log?action=evidence.read', { key });
    expect(body['total']).toBeGreaterThanOrEqual(2);
  });
});

describe('the review queue', () => {
  test('is worked off with the keyboard alone', async () => {
    const window = await openWindow(browser);
    const { page } = window;
    await window.open('/console/review');
    const reviewer = await tenant.createIdentityUser('reviewer');
    await signIn(window, reviewer);
    await page.locator('::-p-text(2 sessions wait.)').wait();
    await expectAccessible(window);
    await page.keyboard.press('j');
    await page.locator(`button[aria-current=true]::-p-text(customer-2)`).wait();
    await page.keyboard.press('k');
    await page.locator(`button[aria-current=true]::-p-text(customer-1)`).wait();
    // Behind a dialog of the page, keys decide nothing, also while one of its buttons has the focus.
    await page.locator('main button::-p-text(Request resubmission)').click();
    await awaitOpenDialog(page);
    await page.focus('[role=dialog] button::-p-text(Cancel)');
    for (const key of ['j', 'a', 'd'] as const) await page.keyboard.press(key);
    expect(await page.$$('[role=dialog]')).toHaveLength(1);
    await page.locator('[role=dialog] button::-p-text(Cancel)').click();
    await awaitClosedDialog(page);
    await page.locator(`button[aria-current=true]::-p-text(customer-1)`).wait();
    await page.keyboard.press('a');
    await awaitOpenDialog(page);
    await page.locator('[role=dialog] input:focus').wait();
    await page.keyboard.type('The name is a married one.');
    await page.keyboard.press('Enter');
    await page.locator('::-p-text(One session waits.)').wait();
    await page.keyboard.press('d');
    await awaitOpenDialog(page);
    await page.locator('[role=dialog] input:focus').wait();
    await page.keyboard.type('The document has expired.');
    // What was typed in a dialog is kept while the reviewer signs in again.
    await window.context.deleteCookie(...(await window.context.cookies()));
    await page.keyboard.press('Enter');
    await page.locator('::-p-text(what you have typed is kept)').wait();
    await signIn(window, reviewer);
    await sendDialog(page).click();
    await page.locator('::-p-text(No session waits for a reviewer.)').wait();
    expect((await getSession(key, complete)).reviews).toMatchObject([
      { decision: 'approve', to: 'approved', reason: 'The name is a married one.' },
    ]);
    expect((await getSession(key, documentOnly)).reviews).toMatchObject([
      { decision: 'decline', to: 'declined', reason: 'The document has expired.' },
    ]);
    await closeWithoutProblems(window);
  });

  test('offers no decision to a role that cannot decide', async () => {
    const window = await openWindow(browser);
    await openSignedIn(window, await tenant.createIdentityUser('viewer'), `/console/sessions/${documentOnly}`);
    await window.page.locator('::-p-text(Timeline)').wait();
    expect(await window.readText('main')).not.toContain('Approve');
    await window.open('/console/sessions/new');
    await window.page.locator('::-p-text(Your role does not include this page.)').wait();
    await window.close();
  });
});

describe('a new session', () => {
  test('is created with a link and its QR code', async () => {
    const window = await openWindow(browser);
    const { page } = window;
    await openSignedIn(window, tenant.admin, '/console/sessions/new');
    await page.locator('::-p-aria(External id)').fill('customer-3');
    await expectAccessible(window);
    await page.locator('button[type=submit]').click();
    await page.locator('img[alt="QR code of the link"]').wait();
    expect(await window.readText('main pre')).toMatch(/\/verify#/);
    await expectAccessible(window);
    await closeWithoutProblems(window);
  });
});

describe('watch lists, companies, faces and blocklist', () => {
  test('a hit is explained, and a false positive is remembered in the next screening', async () => {
    const window = await openWindow(browser);
    const { page } = window;
    await openSignedIn(window, tenant.admin, '/console/aml', 'test');
    const screen = async (): Promise<void> => {
      await page.locator('main input[required]').fill(LISTED_NAME);
      await page.locator('main button[type=submit]').click();
      await page.locator('::-p-text(of 100 points)').wait();
    };
    await page.locator('main input[required]').wait();
    await screen();
    expect(await window.readText('main')).toMatch(/Name: “.+” against “.+”, \+\d+ points/);
    await page.locator('main button::-p-text(Review)').click();
    await awaitOpenDialog(page);
    await page.locator('[role=dialog] textarea').fill('Another date of birth.');
    await sendDialog(page).click();
    await page.locator('::-p-text(The review has been recorded.)').wait();
    await window.open('/console/aml');
    await page.locator('main input[required]').wait();
    await screen();
    await page.locator('main ::-p-text(Another date of birth.)').wait();
    expect(await window.readText('main')).toContain('Reviewed by Test admin at');
    await expectAccessible(window);
    await page.locator('main tbody a').click();
    await page.waitForFunction("location.pathname.startsWith('/console/aml/screenings/aml_')");
    await page.locator('main ::-p-text(Another date of birth.)').wait();
    await expectAccessible(window);
    await closeWithoutProblems(window);
  });

  test('are accessible pages', async () => {
    const window = await openWindow(browser);
    await openSignedIn(window, tenant.admin, '/console/companies');
    for (const path of ['/companies', '/faces', '/blocklist', '/aml/monitors', '/aml/lists', '/session-workflows']) {
      await window.open(`/console${path}`);
      await window.page.locator('main h1').wait();
      await expectAccessible(window);
    }
    await closeWithoutProblems(window);
  });
});

describe('the rule editor', () => {
  test('simulates a rule on past sessions before it is saved as a new version', async () => {
    const { id } = await createSessionWorkflow(key, { name: 'Editor' });
    const window = await openWindow(browser);
    const { page } = window;
    await openSignedIn(window, tenant.admin, `/console/session-workflows/${id}`);
    await page.locator('::-p-text(Add a rule)').click();
    await page.locator('::-p-aria([name="If"][role="combobox"])').fill('document.issuingState');
    await page.locator('::-p-aria([name="Value"][role="textbox"])').fill('UTO');
    await page.locator('::-p-text(Simulate on past sessions)').click();
    await page.locator('::-p-text(Sessions examined: )').wait();
    await expectAccessible(window);
    await page.locator('main button[type=submit]').click();
    await page.locator('::-p-text(Version 2 has been saved)').wait();
    const { body } = await call('GET', `/v1/sessions/workflows/${id}`, { key });
    expect(body['workflow']).toMatchObject({
      version: 2,
      rules: [{ field: 'document.issuingState', operator: 'equals', value: 'UTO', status: 'in_review' }],
    });
    await closeWithoutProblems(window);
  });
});
