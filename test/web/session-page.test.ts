import type { Browser, HTTPRequest, Page } from 'puppeteer';
import { Session } from '../../models/identity/sessions/session';
import { makeDemoImages } from '../../scripts/demo/images';
import type { DemoImages } from '../../scripts/demo/images';
import { getOrigin } from '../support/browser';
import { call } from '../support/client';
import {
  awaitClosedDialog,
  awaitOpenDialog,
  choose,
  control,
  field,
  pick,
  retype,
  sendDialog,
  text,
} from '../support/console-page';
import {
  createFacelessImage,
  createSession,
  createSessionInReview,
  exhaustLiveness,
  getSession,
  parseCheck,
  postDecision,
  postLiveness,
} from '../support/identity/identity';
import { LETTERS, printLetters } from '../support/identity/letters';
import { createSessionWorkflow } from '../support/identity/session-templates';
import { pollUntilFound } from '../support/poll';
import { closeTestPlatform, createTenant } from '../support/tenant';
import type { Tenant } from '../support/tenant';
import { closeAccessible, DESKTOP, openBrowser, openSignedIn, openWindow, PHONE } from '../support/web';
import type { WebWindow } from '../support/web';

let tenant: Tenant;
let key: string;
let browser: Browser;
let images: DemoImages;

beforeAll(async () => {
  [tenant, browser, images] = await Promise.all([createTenant('Sessions'), openBrowser(), makeDemoImages()]);
  key = tenant.identityKey;
});
afterAll(async () => {
  await browser.close();
  await closeTestPlatform();
});

async function openAsAdmin(path: string, expectedStatuses = [401]): Promise<WebWindow> {
  const window = await openWindow(browser, { expectedStatuses });
  await openSignedIn(window, tenant.admin, path);
  await window.page.locator('main h1').wait();
  return window;
}

/** Opens a link in a browser of its own and waits for the consent, which is the first screen. */
async function expectCapturePage(url: string): Promise<void> {
  expect(new URL(url).origin).toBe(getOrigin());
  const person = await openWindow(browser);
  await person.page.goto(url);
  await person.page.locator('::-p-text(Before you start)').wait();
  await closeAccessible(person);
}

test('a new link of an open session is made on its page, and opens the capture page', async () => {
  const { id, url: lost } = await createSession(key);
  const window = await openAsAdmin(`/console/sessions/${id}`);
  const { page } = window;
  await control(page, 'button', 'New link').click();
  await control(page, 'button', 'Create a new link').click();
  await page.locator('[role=dialog] img[alt="QR code of the link"]').wait();
  const url = await window.readText('[role=dialog] pre');
  expect(url).not.toBe(lost);
  await expectCapturePage(url);
  await closeAccessible(window);
});

test('an open session is cancelled on its page, which then offers no decision and no attempts', async () => {
  const { id, number } = await createSession(key);
  const window = await openAsAdmin(`/console/sessions/${id}`);
  const { page } = window;
  await text(page, 'Attempts: 0, left: 3').wait();
  expect(await page.$('main button::-p-text(Decline)')).toBeNull();
  await page.locator('main button::-p-text(More)').click();
  await page.locator('[role=menuitem]::-p-text(Cancel the session)').click();
  await text(page, `Cancel session ${number}`).wait();
  await page.locator('[role=dialog] button::-p-text(Cancel the session)').click();
  // The dialog closes before the session is cancelled.
  await page.waitForFunction("!/left: 3/.test(document.querySelector('main').textContent)");
  expect((await getSession(key, id)).status).toBe('cancelled');
  expect(await page.$('main button::-p-text(New link)')).toBeNull();
  await closeAccessible(window);
});

test('a reviewer requests a step again by keyboard and hands over the link that opens it', async () => {
  const { id } = await createSessionInReview(key);
  const window = await openAsAdmin('/console/review');
  const { page } = window;
  await text(page, 'One session waits.').wait();
  await page.keyboard.press('r');
  await page.locator('[role=dialog] input:focus').wait();
  await page.keyboard.type('The picture shows no face.');
  await page.keyboard.press('Enter');
  await control(page, 'button', 'Create a new link').wait();
  expect((await getSession(key, id)).status).toBe('resubmission_requested');
  await page.keyboard.press('Enter');
  await page.locator('[role=dialog] img[alt="QR code of the link"]').wait();
  await expectCapturePage(await window.readText('[role=dialog] pre'));
  await page.keyboard.press('Escape');
  await text(page, 'No session waits for a reviewer.').wait();
  await closeAccessible(window);
});

test('a decision is recorded for the session of the dialog, even if a colleague decides it meanwhile', async () => {
  const [first, second] = [await createSessionInReview(key), await createSessionInReview(key)];
  const window = await openAsAdmin('/console/review', [401, 412]);
  const { page } = window;
  await text(page, '2 sessions wait.').wait();
  await page.keyboard.press('a');
  await page.locator('[role=dialog] input:focus').wait();
  await postDecision(key, first.id, { decision: 'decline' });
  // The queue is read again, as when the reviewer comes back to this window.
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
  await text(page, 'One session waits.').wait();
  expect(await window.readText('[role=dialog]')).toContain(`Approve session ${first.number}`);
  await page.keyboard.press('Enter');
  await text(page, 'The session has changed').wait();
  const statuses = await Promise.all([first, second].map(async ({ id }) => (await getSession(key, id)).status));
  expect(statuses).toEqual(['declined', 'in_review']);
  await closeAccessible(window);
});

test('a session that a colleague has decided is not replaced by another one, and after a decision the following one is shown', async () => {
  const other = await createTenant('Queue');
  const sessions = [];
  for (let count = 0; count < 3; count += 1) sessions.push(await createSessionInReview(other.identityKey));
  const [first, second, third] = sessions.map(({ id, number }) => ({ id, number }));
  const window = await openWindow(browser, { expectedStatuses: [401] });
  const { page } = window;
  await openSignedIn(window, other.admin, '/console/review');
  const expectSelected = (id = '') => page.waitForFunction(`location.search.includes(${JSON.stringify(id)})`);
  await expectSelected(first?.id);
  await postDecision(other.identityKey, first?.id ?? '', { decision: 'decline' });
  await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
  await text(page, `Session ${first?.number} no longer waits`).wait();
  await page.keyboard.press('a');
  expect(await page.$('[role=dialog]')).toBeNull();
  expect(await window.findAccessibilityProblems()).toEqual([]);
  await control(page, 'button', 'Next session').click();
  await expectSelected(second?.id);
  await page.keyboard.press('a');
  await page.locator('[role=dialog] input:focus').wait();
  await page.keyboard.press('Enter');
  await expectSelected(third?.id);
  await text(page, 'One session waits.').wait();
  await text(page, `Session ${third?.number}`).wait();
  const statuses = [];
  for (const { id } of sessions) statuses.push((await getSession(other.identityKey, id)).status);
  expect(statuses).toEqual(['declined', 'approved', 'in_review']);
  await closeAccessible(window);
});

test('a dialog of a decision ends when the history of the browser leads to another session', async () => {
  const [first, second] = [await createSessionInReview(key), await createSessionInReview(key)];
  const window = await openAsAdmin(`/console/sessions/${first.id}`);
  const { page } = window;
  await page.evaluate(`history.pushState({}, '', '/console/sessions/${second.id}')`);
  await text(page, `Session ${second.number}`).wait();
  await control(page, 'button', 'Approve').click();
  await text(page, `Approve session ${second.number}`).wait();
  await page.goBack();
  await text(page, `Session ${first.number}`).wait();
  await awaitClosedDialog(page);
  // Nor does it return with its session.
  await page.goForward();
  await text(page, `Session ${second.number}`).wait();
  await closeAccessible(window);
  const statuses = await Promise.all([first, second].map(async ({ id }) => (await getSession(key, id)).status));
  expect(statuses).toEqual(['in_review', 'in_review']);
});

/** What was typed in the dialog, apart from choices. */
const readTyped = (page: Page): Promise<unknown> =>
  page.evaluate(
    "[...document.querySelectorAll('[role=dialog] form :is(input:not([type=radio]), textarea:not([aria-hidden]))')].map(({ value }) => value)",
  );

test('a session that was submitted again meanwhile is not decided; it is shown as it is now, and decided with what was typed', async () => {
  const { id, number } = await createSessionInReview(key);
  const window = await openAsAdmin(`/console/sessions/${id}`, [401, 412]);
  const { page } = window;
  await control(page, 'button', 'Decline').click();
  await awaitOpenDialog(page);
  await retype(page, 'Reason', 'No face');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Looked at twice.');
  await postDecision(key, id, { decision: 'resubmit' });
  await exhaustLiveness(key, id);
  await sendDialog(page).click();
  await text(page, 'The session has changed').wait();
  expect(await window.findAccessibilityProblems()).toEqual([]);
  expect(await getSession(key, id)).toMatchObject({ status: 'in_review', reviews: [{ decision: 'resubmit' }] });

  await control(page, 'button', 'Show the current state').click();
  await page.locator(`[role=dialog] ::-p-text(Resubmission of session ${number} requested)`).wait();
  expect(await window.readText('[role=dialog]')).toContain('Current status');
  expect(await readTyped(page)).toEqual(['No face', 'Looked at twice.']);
  expect(await window.findAccessibilityProblems()).toEqual([]);
  await page.setViewport(PHONE);
  expect(await window.findAccessibilityProblems()).toEqual([]);
  await page.setViewport(DESKTOP);
  await sendDialog(page).click();
  await awaitClosedDialog(page);
  const declined = { decision: 'decline', reason: 'No face', comment: 'Looked at twice.' };
  expect(await getSession(key, id)).toMatchObject({
    status: 'declined',
    reviews: [{ decision: 'resubmit' }, declined],
  });
  await closeAccessible(window);
});

test("a session of the queue that a colleague has decided meanwhile offers only what reverses the colleague's decision", async () => {
  const { id, number } = await createSessionInReview(key);
  const window = await openAsAdmin(`/console/review?session=${id}`, [401, 412]);
  const { page } = window;
  await control(page, 'button', 'Request resubmission').click();
  await awaitOpenDialog(page);
  await retype(page, 'Reason', 'Too dark');
  await postDecision(key, id, { decision: 'approve' });
  await sendDialog(page).click();
  await control(page, 'button', 'Show the current state').click();
  // The queue, which the page has read again, does not contain the session any more; the dialog stays.
  await page.locator(`[role=dialog] ::-p-text(Session ${number} approved)`).wait();
  await page.waitForSelector('[role=dialog] button[type=submit]:disabled');
  const choices = "[...document.querySelectorAll('[role=dialog] [type=radio]')].map(({ value }) => value)";
  expect(await page.evaluate(choices)).toEqual(['review', 'decline']);
  await page.locator('[role=dialog] label::-p-text(Return to review)').click();
  await text(page, 'This session has already been decided.').wait();
  expect(await readTyped(page)).toEqual(['Too dark', '']);
  await sendDialog(page).click();
  await awaitClosedDialog(page);
  const { status, reviews } = await getSession(key, id);
  expect([status, reviews.map(({ decision, override }) => [decision, override])]).toEqual([
    'in_review',
    [
      ['approve', false],
      ['review', true],
    ],
  ]);
  await closeAccessible(window);
});

test('a session that has changed since its page was shown is not cancelled, and is shown as it is now', async () => {
  const { id } = await createSessionInReview(key);
  const window = await openAsAdmin(`/console/sessions/${id}`, [401, 412]);
  const { page } = window;
  await page.locator('main button::-p-text(More)').click();
  await page.locator('[role=menuitem]::-p-text(Cancel the session)').click();
  await awaitOpenDialog(page);
  await postDecision(key, id, { decision: 'resubmit' });
  await page.locator('[role=dialog] button::-p-text(Cancel the session)').click();
  await text(page, 'so nothing was done. The page now shows the current version.').wait();
  await text(page, 'Resubmission requested').wait();
  expect((await getSession(key, id)).status).toBe('resubmission_requested');
  await closeAccessible(window);
});

test('the proof of address is shown, as a picture and as the page of a PDF', async () => {
  const issued = new Date(Date.now() - 20 * 86_400_000).toISOString().slice(0, 10);
  const [letter] = await printLetters([LETTERS.en(issued)]);
  const submit = async (document: { body: Buffer; name: string }): Promise<string> => {
    const { id } = await createSession(key, { features: ['poa'] });
    parseCheck(await call('POST', '/v1/documents/poa', { key, form: { sessionId: id, document } }));
    return id;
  };
  const asPdf = await submit({ body: letter?.pdf ?? Buffer.alloc(0), name: 'letter.pdf' });
  const asPicture = await submit({ body: letter?.image ?? Buffer.alloc(0), name: 'letter.png' });
  const window = await openAsAdmin(`/console/sessions/${asPdf}`);
  await window.page.locator('canvas[aria-label="Proof of address, page 1 of 1"]').wait();
  expect(await window.findAccessibilityProblems()).toEqual([]);
  await window.open(`/console/sessions/${asPicture}`);
  await window.page.locator('svg[aria-label="Proof of address"] image').wait();
  const { body } = await call('GET', '/v1/audit-log?action=evidence.read', { key });
  expect(body['total']).toBeGreaterThanOrEqual(2);
  await closeAccessible(window);
});

test('an open session is followed, and the pictures of earlier captures are shown on request', async () => {
  const { id } = await createSession(key, { features: ['liveness'] });
  const window = await openAsAdmin(`/console/sessions/${id}`);
  const { page } = window;
  await text(page, 'Not run').wait();
  parseCheck(await postLiveness(key, { sessionId: id, image: { body: await createFacelessImage() } }));
  await text(page, 'Another picture may help').wait();
  parseCheck(await postLiveness(key, { sessionId: id, image: images.selfie }));
  // The first picture is shown as the selfie until the page has the result of the second.
  await text(page, 'Approved').wait();
  await page.locator('svg[aria-label="Selfie"] image').wait();
  await control(page, 'button', 'Show one file').click();
  await page.locator('svg[aria-label="Liveness, file 1"] image').wait();
  await closeAccessible(window);
});

test('a session names its workflow, and shows no id of it while the name is being read', async () => {
  const { id: workflowId } = await createSessionWorkflow(key, { name: 'Tenancy' });
  const { id } = await createSession(key, { workflowId });
  const window = await openAsAdmin('/console/sessions');
  const { page } = window;
  const held: HTTPRequest[] = [];
  await page.setRequestInterception(true);
  page.on('request', (request) => {
    if (request.url().includes('/v1/sessions/workflows')) held.push(request);
    else void request.continue();
  });
  await page.goto(`${getOrigin()}/console/sessions/${id}`);
  await page.locator(`main td::-p-text(${id})`).wait();
  const request = await pollUntilFound(() => Promise.resolve(held[0]));
  expect(await window.readText('main')).not.toContain(workflowId);
  await request.continue();
  await text(page, 'Tenancy · 1').wait();
  await closeAccessible(window);
});

test('sessions are filtered by country, workflow and day; resetting the filters empties their fields', async () => {
  const { id: workflowId } = await createSessionWorkflow(key, { name: 'Age check' });
  await createSession(key, { externalId: 'filtered-in', expected: { country: 'SE' }, workflowId });
  await createSession(key, { externalId: 'filtered-out', expected: { country: 'FR' } });
  const window = await openAsAdmin('/console/sessions');
  const { page } = window;
  await text(page, 'filtered-out').wait();
  await choose(page, 'Country', 'Sweden');
  await text(page, 'filtered-in').wait();
  await page.waitForFunction("!document.querySelector('main').textContent.includes('filtered-out')");
  await pick(page, 'Session workflow', 'Age check');
  // Typed key by key, in the format of the language of the browser.
  const day = await field(page, 'Created to').waitHandle();
  await day.focus();
  await page.keyboard.type('01312001');
  await text(page, 'No record matches these filters.').wait();
  const search = new URL(page.url()).searchParams;
  expect([search.get('country'), search.get('workflowId'), search.get('to')]).toEqual(['SE', workflowId, '2001-01-31']);
  await control(page, 'button', 'Reset filters').click();
  await text(page, 'filtered-out').wait();
  expect(await page.evaluate("[...document.querySelectorAll('main input')].map(({ value }) => value).join('')")).toBe(
    '',
  );
  await closeAccessible(window);
});

test('days by which sessions are filtered are those of the time zone of the user', async () => {
  const { id } = await createSession(key, { externalId: 'late-evening' });
  await Session.updateOne({ _id: id }, { createdAt: new Date('2001-01-31T23:30:00Z') });
  const window = await openAsAdmin('/console/sessions?from=2001-02-01&to=2001-02-01');
  const { page } = window;
  await text(page, 'No record matches these filters.').wait();
  await page.emulateTimezone('Asia/Tokyo');
  await page.reload();
  await text(page, 'late-evening').wait();
  await closeAccessible(window);
});

test('sessions are sorted either way, with the order in the address', async () => {
  const other = await createTenant('Sorted');
  for (const externalId of ['sorted-first', 'sorted-last']) await createSession(other.identityKey, { externalId });
  const window = await openWindow(browser, { expectedStatuses: [401] });
  const { page } = window;
  await openSignedIn(window, other.admin, '/console/sessions');
  const awaitOrder = (pattern: string) =>
    page.waitForFunction(`/${pattern}/.test(document.querySelector('tbody')?.textContent ?? '')`);
  await awaitOrder('sorted-last.*sorted-first');
  await control(page, 'button', 'Sort by Created').click();
  await awaitOrder('sorted-first.*sorted-last');
  expect(new URL(page.url()).searchParams.get('sortDir')).toBe('asc');
  await page.reload();
  await awaitOrder('sorted-first.*sorted-last');
  await closeAccessible(window);
});
