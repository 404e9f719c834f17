import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { randomUUID } from 'node:crypto';

/** Latin, Greek and Cyrillic; Arabic; Chinese with Japanese kana. */
const PACKAGES = ['noto-sans', 'noto-sans-arabic', 'noto-sans-sc'] as const;

/** Weights the template uses; each is a folder of a font package. */
const WEIGHTS = ['300Light', '400Regular', '500Medium', '600SemiBold', '700Bold'] as const;

const xmlText = (text: string): string =>
  text.replace(/[&<>]/g, (character) => `&#${String(character.codePointAt(0))};`);

const fontFolders = (): string[] =>
  PACKAGES.flatMap((name) => {
    const folder = dirname(require.resolve(`@expo-google-fonts/${name}/package.json`));
    return WEIGHTS.map((weight) => join(folder, weight));
  });

/**
 * Writes a fontconfig configuration that knows only the fonts shipped with the service: a page looks the same on a
 * bare machine and on a desktop, and a font installed there changes no document.
 * @param folder where the configuration and fontconfig's cache are kept; made if missing.
 * @returns the path for `FONTCONFIG_FILE`.
 */
export async function writeFontConfiguration(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, 'fonts.conf');
  const content = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
${fontFolders()
  .map((fonts) => `  <dir>${xmlText(fonts)}</dir>`)
  .join('\n')}
  <cachedir>${xmlText(join(folder, 'cache'))}</cachedir>
  <alias binding="same"><family>sans-serif</family><prefer>
    <family>Noto Sans</family><family>Noto Sans Arabic</family><family>Noto Sans SC</family>
  </prefer></alias>
  <config></config>
</fontconfig>
`;
  // Two workers may start at once: each writes its own file, the last rename wins, both are whole.
  const draft = join(folder, `fonts.${randomUUID()}.conf`);
  await writeFile(draft, content);
  await rename(draft, path);
  return path;
}
