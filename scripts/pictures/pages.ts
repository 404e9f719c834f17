import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'puppeteer';
import { settle } from './browser';

const CONSOLE = '/console';
const SOURCES = path.join('web', 'console');
/** The file in which a feature of the console declares its pages. */
const DECLARATION = 'feature.ts';
/** An id of either API, such as `ses_01JQZ4R8W3M6N9P2T5V8X1Y4Z7` or 42. */
const ID = /^(?:[a-z]{2,5}_[0-9A-Z]{26}|\d+)$/;

/** Addresses of the links that a selector finds, each once. */
async function listLinks(page: Page, selector: string): Promise<string[]> {
  const paths: unknown = await page.evaluate(
    `[...new Set([...document.querySelectorAll(${JSON.stringify(selector)})].map((link) => link.pathname))]`,
  );
  return Array.isArray(paths) ? paths.filter((path) => typeof path === 'string') : [];
}

/** A name for files that all records of one page share, such as `sessions-id`. */
const getPageName = (address: string): string =>
  address
    .slice(CONSOLE.length)
    .split('/')
    .filter((part) => part !== '')
    .map((part) => (ID.test(part) ? 'id' : part))
    .join('-') || 'home';

/**
 * Finds the pages of the console: those that its features declare and, by following the links on them, one page of each
 * kind of record.
 * @param known addresses of records that are preferred to the first that is found
 * @returns addresses by the name of their page
 */
export async function findConsolePages(
  page: Page,
  api: string,
  known: readonly string[],
): Promise<Map<string, string>> {
  const pages = new Map<string, string>();
  const add = (address: string): void => {
    if (!pages.has(getPageName(address))) pages.set(getPageName(address), address);
  };
  const declared = (await listDeclaredPaths()).filter((each) => !each.includes('$') && each !== '/');
  for (const address of [CONSOLE, ...known, ...declared.map((each) => CONSOLE + each)]) add(address);
  // A Map that grows is iterated to its end.
  for (const address of pages.values()) {
    await page.goto(api + address, { waitUntil: 'networkidle2' });
    await settle(page);
    for (const link of await listLinks(page, `main a[href^="${CONSOLE}/"]`)) add(link);
  }
  return pages;
}

/** The paths that the features of the console declare, with parameters as `$name`. */
export async function listDeclaredPaths(): Promise<string[]> {
  const paths: string[] = [];
  for (const file of await readdir(SOURCES, { recursive: true })) {
    if (path.dirname(file) === '.' || path.basename(file) !== DECLARATION) continue;
    const declaration = await readFile(path.join(SOURCES, file), 'utf8');
    paths.push(...[...declaration.matchAll(/path: '([^']+)'/g)].map(([, declared = '']) => declared));
  }
  return paths;
}

/** The paths that the features of the console declare and none of the pages has. */
export async function findMissingPages(pages: ReadonlyMap<string, string>): Promise<string[]> {
  const found = [...pages.values()].map((address) => address.slice(CONSOLE.length) || '/');
  const isFound = (declared: string): boolean => {
    const pattern = new RegExp(`^${declared.replaceAll(/\$\w+/g, '[^/]+')}$`);
    return found.some((address) => pattern.test(address));
  };
  return (await listDeclaredPaths()).filter((declared) => !isFound(declared)).sort();
}
