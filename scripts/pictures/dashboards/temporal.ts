import type { Browser } from 'puppeteer';
import type { RunningService } from '../../demo/running-service';
import { settle } from '../browser';

const SIZE = { width: 1440, height: 1000 };
const QUERY = 'WorkflowType = "verification"';
const MAX_WAIT_MS = 60_000;

/** Photographs the list of sessions in the Temporal UI, if it has been started. @throws Error if it lists none */
export async function photographTemporal(
  browser: Browser,
  run: RunningService,
  save: (name: string, picture: Buffer) => Promise<void>,
): Promise<void> {
  if (run.temporalUi == null) {
    console.log('The service runs without the Temporal UI, of which no picture was taken.');
    return;
  }
  const page = await browser.newPage();
  await page.setViewport(SIZE);
  const address = `${run.temporalUi}/namespaces/default/workflows?query=${encodeURIComponent(QUERY)}`;
  await page.goto(address, { waitUntil: 'domcontentloaded' });
  await page.waitForSelector('a[href*="/workflows/ses_"]', { timeout: MAX_WAIT_MS });
  await settle(page);
  await save('temporal-sessions.png', Buffer.from(await page.screenshot()));
  await page.close();
}
