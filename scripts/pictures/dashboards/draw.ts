import path from 'node:path';
import type { Browser } from 'puppeteer';
import sharp from 'sharp';
import type { DashboardPicture } from './panel';

const PAGE = path.join('scripts', 'pictures', 'dashboards', 'page.tsx');
const WIDTH = 1568;

/** The script of the page, with React and the chart library. */
async function bundlePage(): Promise<string> {
  const { build } = await import('vite');
  const built = await build({
    configFile: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: { write: false, lib: { entry: path.resolve(PAGE), formats: ['iife'], name: 'page' } },
  });
  const outputs = Array.isArray(built) ? built : [built];
  const chunk = outputs
    .flatMap((each) => ('output' in each ? each.output : []))
    .find((each) => each.type === 'chunk' && each.isEntry);
  if (chunk?.type !== 'chunk') throw new Error(`${PAGE} was not bundled.`);
  return chunk.code;
}

/** Draws dashboards as WebP pictures. */
export async function drawDashboards(
  browser: Browser,
  dashboards: ReadonlyMap<string, DashboardPicture>,
): Promise<Map<string, Buffer>> {
  const script = await bundlePage();
  const pictures = new Map<string, Buffer>();
  for (const [name, dashboard] of dashboards) {
    const page = await browser.newPage();
    await page.setViewport({ width: WIDTH, height: 900 });
    await page.setContent('<!doctype html><html lang="en"><body style="margin:0"></body></html>');
    await page.addScriptTag({ content: script });
    await page.evaluate(`window.drawDashboard(${JSON.stringify(dashboard)})`);
    const main = await page.waitForSelector('main section svg');
    if (main === null) throw new Error(`${name} was not drawn.`);
    const png = await page.screenshot({ fullPage: true });
    pictures.set(name, await sharp(png).webp({ quality: 82, effort: 6 }).toBuffer());
    await page.close();
  }
  return pictures;
}
