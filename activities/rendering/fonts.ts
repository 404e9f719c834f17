import { lstat, mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { randomUUID } from 'node:crypto';

/** Latin, Greek, Cyrillic and Devanagari; Arabic; Hebrew; Thai; Korean; Chinese with Japanese kana. */
const PACKAGES = [
  require.resolve('@expo-google-fonts/noto-sans/package.json'),
  require.resolve('@expo-google-fonts/noto-sans-arabic/package.json'),
  require.resolve('@expo-google-fonts/noto-sans-hebrew/package.json'),
  require.resolve('@expo-google-fonts/noto-sans-thai/package.json'),
  require.resolve('@expo-google-fonts/noto-sans-sc/package.json'),
  require.resolve('@expo-google-fonts/noto-sans-kr/package.json'),
] as const;

/** Weights the template uses; each is a folder of a font package. */
const WEIGHTS = ['300Light', '400Regular', '500Medium', '600SemiBold', '700Bold'] as const;

const escapeXml = (text: string): string =>
  text.replace(/[&<>]/g, (character) => `&#${String(character.codePointAt(0))};`);

const listFontFolders = (): string[] =>
  PACKAGES.flatMap((manifest) => WEIGHTS.map((weight) => join(dirname(manifest), weight)));

/** In a temporary folder that all users share, someone else may have made the folder first, to have us read theirs. */
async function requireOwnFolder(folder: string): Promise<void> {
  const folderStat = await lstat(folder);
  const user = process.getuid?.();
  if (!folderStat.isDirectory() || (user !== undefined && folderStat.uid !== user)) {
    throw new Error(`${folder} does not belong to this user; remove it or set another TMPDIR.`);
  }
}

/**
 * Writes a fontconfig configuration that knows only the fonts shipped with the service: a page looks the same on a
 * bare machine and on a desktop, and a font installed there changes no document.
 * @param folder where the configuration and fontconfig's cache are kept; made if missing.
 * @returns the path for `FONTCONFIG_FILE`.
 */
export async function writeFontConfiguration(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await requireOwnFolder(folder);
  const path = join(folder, 'fonts.conf');
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
  </prefer></alias>
  <config></config>
</fontconfig>
`;
  // Two workers may start at once: each writes its own file, the last rename wins, both are whole.
  const temporaryPath = join(folder, `fonts.${randomUUID()}.conf`);
  await writeFile(temporaryPath, content);
  await rename(temporaryPath, path);
  return path;
}
