import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { writeFontConfiguration } from '../../../../activities/rendering/fonts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vouch-fonts-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('installations that share the temporary folder have font configurations of their own', async () => {
  const own = await writeFontConfiguration(folder);
  const content = await readFile(own, 'utf8');
  // As an installation of another version writes it, whose fonts are in another folder.
  await writeFile(path.join(folder, 'fonts.conf'), '<fontconfig/>');
  expect(await writeFontConfiguration(folder)).toBe(own);
  expect(await readFile(own, 'utf8')).toBe(content);
  expect(path.basename(own)).toMatch(/^fonts\.[0-9a-f]{16}\.conf$/);
  expect(content).toContain('noto-sans-arabic/400Regular</dir>');
});
