import { readManifest, sumGzippedBytes } from '../../../bench/web/bundles';

const manifest = readManifest();

describe('the bundles of the web applications', () => {
  test('the capture page loads at most 150 kB gzipped before the camera step', () => {
    expect(sumGzippedBytes(manifest, 'capture/index.html')).toBeLessThanOrEqual(150_000);
  });

  test('the console loads at most 175 kB gzipped before the sign-in page, and 225 kB for the frame of its pages', () => {
    expect(sumGzippedBytes(manifest, 'console/index.html')).toBeLessThanOrEqual(175_000);
    expect(sumGzippedBytes(manifest, 'console/shell/signed-in.tsx')).toBeLessThanOrEqual(225_000);
  });

  test('every page of the console is a chunk of its own', () => {
    const pages = Object.entries(manifest).filter(([name]) => /^console\/.*-page\.tsx$/.test(name));
    expect(pages.length).toBeGreaterThan(0);
    expect(pages.filter(([, { isDynamicEntry }]) => !isDynamicEntry)).toEqual([]);
  });
});
