import { lstat, mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { escapeXml } from '../../domain/xml-escape';
import { sha256Hex } from '../../lib/crypto/secrets';

/**
 * Font packages for Latin, Greek, Cyrillic and Devanagari; Arabic; Hebrew; Thai; Chinese with Japanese kana; Korean;
 * emoji in one colour.
 */
const PACKAGES = [
  require.resolve('@expo-google-fonts/noto-sans/package.json'),
  require.resolve('@expo-google-fonts/noto-sans-arabic/package.json'),
  require.resolve('@expo-google-fonts/noto-sans-hebrew/package.json'),
  require.resolve('@expo-google-fonts/noto-sans-thai/package.json'),
  require.resolve('@expo-google-fonts/noto-sans-sc/package.json'),
  require.resolve('@expo-google-fonts/noto-sans-kr/package.json'),
  require.resolve('@expo-google-fonts/noto-emoji/package.json'),
] as const;

/** Weights that the templates use; each is a folder of a font package. */
const WEIGHTS = ['300Light', '400Regular', '500Medium', '600SemiBold', '700Bold'] as const;

const listFontFolders = (): string[] =>
  PACKAGES.flatMap((manifest) => WEIGHTS.map((weight) => join(dirname(manifest), weight)));

/** In a shared temporary folder another user could create the folder first, so that their files would be read. */
async function requireOwnFolder(folder: string): Promise<void> {
  const folderStat = await lstat(folder);
  const user = process.getuid?.();
  if (!folderStat.isDirectory() || (user !== undefined && folderStat.uid !== user)) {
    throw new Error(`${folder} does not belong to this user; remove it or set another TMPDIR.`);
  }
}

/**
 * Writes a fontconfig configuration with only the fonts shipped with the service, so that documents do not depend on
 * the fonts that are installed on the machine.
 * @param folder folder of the configuration and fontconfig's cache; created if missing.
 * @returns the path for `FONTCONFIG_FILE`.
 */
export async function writeFontConfiguration(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await requireOwnFolder(folder);
  const content = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
${listFontFolders()
  .map((fonts) => `  <dir>${escapeXml(fonts)}</dir>`)
  .join('\n')}
  <cachedir>${escapeXml(join(folder, 'cache'))}</cachedir>
  <alias binding="same"><family>sans-serif</family><prefer>
    <family>Noto Sans</family><family>Noto Sans Arabic</family><family>Noto Sans Hebrew</family>
    <family>Noto Sans Thai</family><family>Noto Sans SC</family><family>Noto Sans KR</family>
    <family>Noto Emoji</family>
  </prefer></alias>
  <config></config>
</fontconfig>
`;
  // Installations of other versions use the same temporary folder, and their fonts are in other places.
  const path = join(folder, `fonts.${sha256Hex(content).slice(0, 16)}.conf`);
  // Two workers may start at once: each writes its own file, and the last rename wins with a complete file.
  const temporaryPath = join(folder, `fonts.${randomUUID()}.part`);
  await writeFile(temporaryPath, content);
  await rename(temporaryPath, path);
  return path;
}
