import { dirname, join } from 'node:path';

/** A language whose script the text recogniser lacks, and the data with which tesseract reads it. */
export interface ScriptLanguage {
  /** Code of the data package, as ISO 639-2. */
  code: string;
  /** Unicode property value. */
  script: string;
  /** Folder of the data file in its package; nothing is downloaded. */
  dataFolder: string;
  /** Mean confidence with which the data read lines of other scripts, 0–100, measured by `npm run bench -- scripts`. */
  foreignConfidence: number;
}

/** The integer variant of the most accurate models, without those of the earlier engine. */
const VARIANT = '4.0.0_best_int';

const define = (code: string, script: string, foreignConfidence: number, manifest: string): ScriptLanguage => ({
  code,
  script,
  dataFolder: join(dirname(manifest), VARIANT),
  foreignConfidence,
});

/** In the order in which they are tried. */
export const SCRIPT_LANGUAGES: readonly ScriptLanguage[] = [
  define('ara', 'Arabic', 35, require.resolve('@tesseract.js-data/ara/package.json')),
  define('fas', 'Arabic', 40, require.resolve('@tesseract.js-data/fas/package.json')),
  define('hin', 'Devanagari', 40, require.resolve('@tesseract.js-data/hin/package.json')),
  define('heb', 'Hebrew', 40, require.resolve('@tesseract.js-data/heb/package.json')),
  define('tha', 'Thai', 70, require.resolve('@tesseract.js-data/tha/package.json')),
  define('kor', 'Hangul', 40, require.resolve('@tesseract.js-data/kor/package.json')),
  define('ben', 'Bengali', 40, require.resolve('@tesseract.js-data/ben/package.json')),
  define('tam', 'Tamil', 40, require.resolve('@tesseract.js-data/tam/package.json')),
  define('tel', 'Telugu', 40, require.resolve('@tesseract.js-data/tel/package.json')),
  define('kat', 'Georgian', 50, require.resolve('@tesseract.js-data/kat/package.json')),
  define('hye', 'Armenian', 40, require.resolve('@tesseract.js-data/hye/package.json')),
];
