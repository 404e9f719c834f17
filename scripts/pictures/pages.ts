import type { Page } from 'puppeteer';
import { settle } from './browser';

/** Paths of the links that a selector finds, each once. */
async function listLinks(page: Page, selector: string): Promise<string[]> {
  const paths: unknown = await page.evaluate(
    `[...new Set([...document.querySelectorAll(${JSON.stringify(selector)})].map((link) => link.pathname))]`,
  );
  return Array.isArray(paths) ? paths.filter((path) => typeof path === 'string') : [];
}

/** A name for files, such as `sessions`. */
const nameOf = (path: string): string => path.replace(/^\/console\/?/, '').replaceAll('/', '-') || 'home';

/**
 * Finds every page of the console that the signed-in user can open: those of the navigation, the pages that a list of
 * links of such a page leads to, and the record that the first row of each list leads to.
 * @returns paths by name
 */
export async function findConsolePages(page: Page, api: string): Promise<Map<string, string>> {
  const paths = await listLinks(page, 'nav a[href^="/console"]');
  const pages = new Map(paths.map((path) => [nameOf(path), path]));
  for (const path of paths) {
    await page.goto(api + path, { waitUntil: 'networkidle2' });
    await settle(page);
    for (const section of await listLinks(page, 'main nav a[href^="/console/"]')) pages.set(nameOf(section), section);
    const [details] = await listLinks(page, 'main table a[href^="/console/"]');
    if (details !== undefined && !paths.includes(details)) pages.set(`${nameOf(path)}-details`, details);
  }
  return pages;
}
