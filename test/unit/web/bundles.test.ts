import { listFiles, readManifest, sumGzippedBytes } from '../../../bench/web/bundles';

const consoleManifest = readManifest('console');

describe('the bundles of the web applications', () => {
  test('the capture page loads at most 150 kB gzipped in 5 files before the camera step', () => {
    const files = listFiles(readManifest('capture'), 'capture/index.html');
    expect(sumGzippedBytes(files)).toBeLessThanOrEqual(150_000);
    expect(files.length).toBeLessThanOrEqual(5);
  });

  test('the console loads at most 175 kB gzipped in 6 files before the sign-in page', () => {
    const files = listFiles(consoleManifest, 'console/index.html');
    expect(sumGzippedBytes(files)).toBeLessThanOrEqual(175_000);
    expect(files.length).toBeLessThanOrEqual(6);
  });

  test('the first visit of a signed-in user loads at most 385 kB gzipped in 25 files for the list of sessions', () => {
    const entries = ['index.html', 'shell/signed-in.tsx', 'identity/sessions/sessions-page.tsx'];
    const files = listFiles(consoleManifest, ...entries.map((entry) => `console/${entry}`));
    expect(sumGzippedBytes(files)).toBeLessThanOrEqual(385_000);
    expect(files.length).toBeLessThanOrEqual(25);
  });

  test('every page of the console is a chunk of its own', () => {
    const pages = Object.entries(consoleManifest).filter(([name]) => /^console\/.*-page\.tsx$/.test(name));
    expect(pages.length).toBeGreaterThan(0);
    expect(pages.filter(([, { isDynamicEntry }]) => !isDynamicEntry)).toEqual([]);
  });
});
