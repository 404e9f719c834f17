import type { Browser } from 'puppeteer';
import { getOrigin } from '../support/browser';
import { call } from '../support/client';
import { awaitClosedDialog, awaitOpenDialog, retype } from '../support/console-page';
import { pollUntilFound } from '../support/poll';
import { startReceiver } from '../support/receiver';
import { closeTestPlatform, createTenant } from '../support/tenant';
import type { Tenant } from '../support/tenant';
import { closeWithoutProblems, openBrowser, openSignedIn, openWindow, PHONE } from '../support/web';
import type { WebWindow } from '../support/web';
import { registerWebhook, requestTestDelivery, waitForDelivery } from '../support/webhooks';

let tenant: Tenant;
let browser: Browser;

beforeAll(async () => {
  [tenant, browser] = await Promise.all([createTenant('Administration'), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await closeTestPlatform();
});

const button = (name: string): string => `::-p-aria([name="${name}"][role="button"])`;
const text = (content: string): string => `::-p-text(${content})`;

async function signInAt(path: string, user = tenant.admin, expectedStatuses = [401]): Promise<WebWindow> {
  const window = await openWindow(browser, { expectedStatuses });
  await openSignedIn(window, user, path);
  return window;
}

/** Leaves the window after the checks that every page must pass. */
async function expectClean(window: WebWindow): Promise<void> {
  expect(await window.findAccessibilityProblems()).toEqual([]);
  expect(window.problems).toEqual([]);
}

test('an API key is shown once when it is created, and works', async () => {
  const window = await signInAt('/console/keys');
  const { page } = window;
  await page.locator(button('New key')).click();
  await awaitOpenDialog(page);
  await page.locator('input[required]').fill('Checkout server');
  await page.locator('[role=dialog] input[aria-haspopup=listbox]').fill('sessions:read');
  await page.locator('[role=option]').click();
  // Leaves the field, so that its options no longer cover the button.
  await page.keyboard.press('Tab');
  await page.waitForSelector('[role=option]', { hidden: true });
  await page.locator(button('Create')).click();
  await page.locator('[data-testid=secret]').wait();
  const secret = await window.readText('[data-testid=secret]');
  expect(secret).toMatch(/^vk_live_/);
  expect((await call('GET', '/v1/sessions', { key: secret })).status).toBe(200);
  expect((await call('GET', '/v1/keys', { key: secret })).status).toBe(403);
  await page.locator(button('Close')).click();
  await page.locator(text('Checkout server')).wait();
  expect(await page.content()).not.toContain(secret);
  await expectClean(window);
  await window.close();
});

test('a delivery shows request and response, and is sent again', async () => {
  const receiver = await startReceiver();
  const { webhook } = await registerWebhook(tenant.identityKey, receiver.url, ['webhook.test']);
  const { id } = await requestTestDelivery(tenant.identityKey, webhook.id);
  await waitForDelivery(id);
  const window = await signInAt(`/console/webhooks/${webhook.id}/deliveries/${id}`);
  const { page } = window;
  await page.locator(text('"webhook.test"')).wait();
  await page.locator(button('Send again')).click();
  await receiver.waitForCount(2);
  await page.waitForFunction(`!location.pathname.endsWith('${id}')`);
  await page.locator(text('attempt 1')).wait();
  await expectClean(window);
  await window.open('/console/events');
  await page.locator(text('session.completed')).wait();
  await expectClean(window);
  await window.close();
  await receiver.close();
});

test('a webhook is created and edited, its secret is rotated, missed events are recovered, and it is deleted', async () => {
  const receiver = await startReceiver();
  receiver.reply({ status: 410 });
  const window = await signInAt('/console/webhooks');
  const { page } = window;
  const dialog = (name: string) => `[role=dialog] ::-p-aria([name="${name}"][role="button"])`;
  await page.locator(button('New webhook')).click();
  await awaitOpenDialog(page);
  await page.locator('[role=dialog] input[type=url]').fill(receiver.url);
  await page.locator('[role=dialog] input[aria-haspopup=listbox]').fill('session.created');
  await page.locator('[role=option]').click();
  await page.keyboard.press('Tab');
  await page.waitForSelector('[role=option]', { hidden: true });
  await page.locator(dialog('Create')).click();
  await page.locator('[data-testid=secret]').wait();
  const secret = await window.readText('[data-testid=secret]');
  await page.locator(dialog('Close')).click();
  await awaitClosedDialog(page);
  await page.locator(`main tbody a::-p-text(${receiver.url})`).click();
  await expectClean(window);
  // The receiver answers that it is gone, so the event is missed and the webhook is disabled.
  await call('POST', '/v1/sessions', { key: tenant.identityKey, json: {} });
  await receiver.waitForCount(1);
  await page.locator(text('Disabled: the receiver answered 410')).wait();
  receiver.reply({ status: 204 });
  await page.locator(button('Recover missed events')).click();
  await awaitOpenDialog(page);
  await page.focus('[role=dialog] input[type=datetime-local]');
  const [year, month, day] = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10).split('-');
  // In the format of the language of the browser.
  await page.keyboard.type(`${month}${day}${year}`);
  await page.keyboard.press('Tab');
  await page.keyboard.type('0101AM');
  await page.locator(dialog('Recover missed events')).click();
  await receiver.waitForCount(2);
  await awaitClosedDialog(page);
  await page.locator(text('Enabled')).wait();
  await page.locator(button('Edit')).click();
  await awaitOpenDialog(page);
  await page.locator('[role=dialog] ::-p-aria([name="Description"][role="textbox"])').fill('Shop');
  await page.locator(dialog('Save')).click();
  await awaitClosedDialog(page);
  await page.locator('main ::-p-text(Shop)').wait();
  await page.locator(button('Rotate the secret')).click();
  await page.locator(dialog('Rotate the secret')).click();
  await page.locator('[data-testid=secret]').wait();
  expect(await window.readText('[data-testid=secret]')).not.toBe(secret);
  // The dialog that asked before may still be closing.
  await page.locator(`[role=dialog]:has([data-testid=secret]) ${button('Close')}`).click();
  await awaitClosedDialog(page);
  await page.locator(text('Previous secrets sign, too')).wait();
  await page.locator(button('Delete')).click();
  await page.locator(dialog('Delete')).click();
  await page.waitForFunction("location.pathname === '/console/webhooks'");
  await awaitClosedDialog(page);
  await expectClean(window);
  await window.close();
  await receiver.close();
});

test('a page that is read again by itself stops when the user is idle', async () => {
  const { webhook } = await registerWebhook(tenant.identityKey, 'https://receiver.example/hook', ['webhook.test']);
  const window = await openWindow(browser);
  const { page } = window;
  // Intervals of seconds pass at once, and five minutes without input when the test says so.
  await page.evaluateOnNewDocument(`{
    const [repeat, wait] = [window.setInterval, window.setTimeout];
    const idle = [];
    window.becomeIdle = () => idle.forEach((run) => run());
    window.setInterval = (run, ms, ...rest) => repeat(run, ms === 5000 ? 50 : ms, ...rest);
    window.setTimeout = (run, ms, ...rest) => {
      if (ms === 300_000) idle.push(run);
      return wait(run, ms, ...rest);
    };
  }`);
  let requests = 0;
  page.on('request', (request) => {
    if (request.url().includes(`/${webhook.id}/deliveries`)) requests += 1;
  });
  const countDuring = async (count: number): Promise<number> => {
    const before = requests;
    await page.evaluate(`new Promise((resolve) => {
      let ticks = 0;
      const timer = setInterval(() => (ticks += 1) === ${count} && (clearInterval(timer), resolve()), 5000);
    })`);
    return requests - before;
  };
  await openSignedIn(window, tenant.admin, `/console/webhooks/${webhook.id}`);
  await page.locator(text('No delivery yet')).wait();
  const before = requests;
  await pollUntilFound(() => Promise.resolve(requests > before + 2 ? true : undefined));
  await page.evaluate('window.becomeIdle()');
  // One request may have begun.
  await countDuring(10);
  expect(await countDuring(20)).toBe(0);
  await window.close();
});

test('an administrator of business management alone sees the same webhooks, and sends a test', async () => {
  const receiver = await startReceiver();
  const { webhook } = await registerWebhook(tenant.identityKey, receiver.url, ['webhook.test']);
  const window = await signInAt('/console/webhooks', await tenant.createUserWithRole('admin'));
  const { page } = window;
  await page.locator(`main a[href$="${webhook.id}"]`).click();
  await page.locator(button('Send a test event')).click();
  await receiver.waitForCount(1);
  await page.locator('main tbody a::-p-text(webhook.test)').click();
  await page.locator(text('attempt 1')).wait();
  await expectClean(window);
  await window.close();
  await receiver.close();
});

test('the home page shows the first steps and figures, as charts and as tables', async () => {
  await call('POST', '/v1/sessions', { key: tenant.identityKey, json: {} });
  const window = await signInAt('/console');
  const { page } = window;
  await page.locator(text('First steps')).wait();
  // An open step leads to the page on which it is done.
  await page.locator('main a[href$="/session-workflows"]').wait();
  await page.locator(text('Worker pools')).wait();
  await page.locator('.recharts-surface').wait();
  await expectClean(window);
  await page.locator(text('Table')).click();
  await page.locator('table').wait();
  await page.setViewport(PHONE);
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }]);
  await expectClean(window);
  // A figure leads to the list of what it counts.
  await page.locator('main a[href*="/sessions?"][href*="status=approved%2Capproval_expired"]').click();
  await page.locator(text('No record matches these filters.')).wait();
  await window.close();
});

test('a user is invited with a temporary password, and gets another role', async () => {
  const window = await signInAt('/console/users');
  const { page } = window;
  await page.locator(button('New user')).click();
  await awaitOpenDialog(page);
  await page.locator('[role=dialog] input[required]').fill('Robin Meyer');
  await page.locator('[role=dialog] input[type=email]').fill('robin.meyer@tenant.example');
  await page.locator('[role=dialog] input[aria-haspopup=listbox]').click();
  await page.locator('::-p-xpath(//*[@role="option"][.="Reviewer"])').click();
  await page.locator(button('Create')).click();
  await page.locator('[data-testid=secret]').wait();
  const password = await window.readText('[data-testid=secret]');
  await expectClean(window);
  await page.locator(button('Close')).click();
  // A dialog that fades out still covers the page.
  await awaitClosedDialog(page);
  await page.locator(button('Robin Meyer')).click();
  await awaitOpenDialog(page);
  await page.locator('[role=dialog] input[aria-haspopup=listbox]').click();
  await page.locator('::-p-xpath(//*[@role="option"][.="Auditor"])').click();
  await page.locator(button('Save')).click();
  await page.locator('::-p-xpath(//td[.="Auditor"])').wait();
  await window.close();
  const from = { origin: getOrigin() };
  const json = { email: 'robin.meyer@tenant.example', password };
  const { status, body } = await call('POST', '/v1/auth/login', { headers: from, json });
  expect([status, (body['user'] as Record<string, unknown> | undefined)?.['role']]).toEqual([200, 'auditor']);
});

test('a user who changes the own name and role sees both at once', async () => {
  const account = await tenant.createUserWithRoles({ identity: 'admin', business: 'admin' });
  const window = await signInAt('/console/users', account);
  const { page } = window;
  await page.locator(`::-p-xpath(//tr[contains(., "${account.email}")]//button)`).click();
  await awaitOpenDialog(page);
  await retype(page, 'Name', 'Kim Berger');
  await page.locator('::-p-xpath((//*[@role="dialog"]//input[@aria-haspopup="listbox"])[2])').click();
  await page.locator('::-p-xpath(//*[@role="option"][.="Sales"])').click();
  await page.locator(button('Save')).click();
  await page.locator('header button[aria-label="Kim Berger"]').wait();
  await page.waitForSelector('nav a[href="/console/users"]', { hidden: true });
  await page.locator(text('Your role does not include this page.')).wait();
  await window.close();
});

/** Shortens the time after which a window counts as unattended, five minutes, so that a test can wait for it. */
const SHORTEN_ATTENTION = `(() => {
  const original = window.setTimeout;
  window.setTimeout = (action, ms, ...rest) => original(action, ms === 300000 ? 1500 : ms, ...rest);
})()`;

test('a page that follows something that is running makes no requests while it is not used', async () => {
  const window = await signInAt('/console/invariants');
  const { page } = window;
  await page.locator(button('Check now')).wait();
  let requests = 0;
  let latest = Date.now();
  await page.evaluateOnNewDocument(SHORTEN_ATTENTION);
  await page.setRequestInterception(true);
  page.on('request', (request) => {
    if (!request.url().endsWith('/api/admin/invariants')) return void request.continue();
    requests++;
    latest = Date.now();
    const data = { running: true, checkedAt: null, violations: 0, invariants: [] };
    void request.respond({ contentType: 'application/json', body: JSON.stringify({ ok: true, data }) });
  });
  await page.reload();
  await page.locator(text('Integrity')).wait();
  // The interval is a second.
  await pollUntilFound(() => Promise.resolve(Date.now() - latest > 4000 || undefined));
  const before = requests;
  expect(before).toBeGreaterThan(1);
  await page.mouse.move(300, 300);
  await page.mouse.move(310, 310);
  await pollUntilFound(() => Promise.resolve(requests > before || undefined));
  await window.close();
});

test('the audit log is verified to its end, and the own account lists where the user is signed in', async () => {
  const window = await signInAt('/console/audit-log?action=api_key.created');
  const { page } = window;
  await page.locator('main tbody ::-p-text(api_key.created)').wait();
  await page.locator(button('Verify the whole log')).click();
  await page.locator(text('No entry was changed, moved or removed')).wait();
  await expectClean(window);
  await window.open('/console/profile');
  await page.locator(text('This one')).wait();
  await page.locator('input[autocomplete=new-password]').wait();
  await expectClean(window);
  await window.close();
});

test('the audit log names users and keys for an auditor of identity verification, too', async () => {
  await call('POST', '/v1/sessions', { key: tenant.identityKey, json: {} });
  const address = '/console/audit-log?action=session.created';
  const window = await signInAt(address, await tenant.createIdentityUser('auditor'));
  await window.page.locator('::-p-xpath(//tbody//td//*[text()="Test"])').wait();
  await expectClean(window);
  await window.close();
});

test('a role without administration sees nothing of it, and another organisation’s link finds nothing', async () => {
  const window = await signInAt('/console/keys', await tenant.createIdentityUser('reviewer'));
  await window.page.locator(text('Your role does not include this page')).wait();
  expect(await window.readText('nav')).not.toMatch(/API keys|Webhooks|Users|Audit/);
  await window.close();
  const other = await createTenant('Other administration');
  const { webhook } = await registerWebhook(tenant.identityKey, 'https://receiver.example/hook', ['*']);
  const foreign = await signInAt(`/console/webhooks/${webhook.id}`, other.admin, [401, 404]);
  await foreign.page.locator(text('The record does not exist')).wait();
  await closeWithoutProblems(foreign);
});
