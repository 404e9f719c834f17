import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { PROJECT_ROOT } from '../../../scripts/docs/repository';
import { listDeclaredPaths } from '../../../scripts/pictures/pages';

const FOLDER = path.join(PROJECT_ROOT, 'test', 'web');

/** Paths of the console in quotes, with or without `/console`, and with values that a test inserts. */
const ADDRESS = /['"`](?:\/console)?(\/[a-z](?:[\w\-/]|\$\{[^}]*\})*)/g;

/** The paths that tests in Chromium open or wait for; an inserted value counts as one part of a path. */
function listOpenedPaths(): string[] {
  const tests = readdirSync(FOLDER).map((file) => readFileSync(path.join(FOLDER, file), 'utf8'));
  return [...tests.join('\n').matchAll(ADDRESS)].map(([, address = '']) => address.replaceAll(/\$\{[^}]*\}/g, 'x'));
}

/** Sources of the console that read something again and again. */
function listFollowingSources(): string[] {
  const folder = path.join(PROJECT_ROOT, 'web', 'console');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.tsx'))
    .filter((file) => readFileSync(path.join(folder, file), 'utf8').includes('refetchInterval:'));
}

test('every page that repeats its requests by itself stops while it is not used', () => {
  const following = listFollowingSources();
  expect(following.length).toBeGreaterThan(10);
  const isLimited = (file: string): boolean =>
    /use(Refresh|Poll)Interval\(/.test(readFileSync(path.join(PROJECT_ROOT, 'web', 'console', file), 'utf8'));
  expect(following.filter((file) => !isLimited(file))).toEqual([]);
});

test('every page that the console declares is opened by a test in Chromium', async () => {
  const opened = listOpenedPaths();
  const isOpened = (declared: string): boolean => {
    const pattern = new RegExp(`^${declared.replaceAll(/\$\w+/g, '[^/]+')}$`);
    return opened.some((address) => pattern.test(address));
  };
  const declared = (await listDeclaredPaths()).filter((each) => each !== '/');
  expect(declared.length).toBeGreaterThan(60);
  expect(declared.filter((each) => !isOpened(each))).toEqual([]);
});
