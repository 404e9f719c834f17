// Draws lines of text and reads each with the classes of Latin, Greek and Cyrillic and with all classes, and the page of
// all lines as documents are read. Prints JSON. Run by tests in a process of its own, which has the networks to itself.
//
//   node read-scripts.cjs <models folder> <JSON of {font: [lines]}>
const path = require('node:path');
const sharp = require('sharp');

const dist = (module) => require(path.resolve('dist/activities/vision', module));
const { ImagePyramid } = dist('imaging/image-pyramid.js');
const { Networks } = dist('inference/networks.js');
const { readAllScripts, readLine } = dist('text/line-reader.js');
const { CARD_TEXT, detectPageText, readText } = dist('text/page.js');

const FONTS = {
  'noto-sans': 'NotoSans_400Regular',
  'noto-sans-sc': 'NotoSansSC_400Regular',
};

/** Black text on white, upright. */
async function drawText(font, lines) {
  const fontfile = require.resolve(`@expo-google-fonts/${font}/400Regular/${FONTS[font]}.ttf`);
  const family = font === 'noto-sans' ? 'Noto Sans' : 'Noto Sans SC';
  const text = lines.join('\n').replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const { data, info } = await sharp({ text: { text, font: `${family} 26`, fontfile, dpi: 96, spacing: 24 } })
    .flatten({ background: 'black' })
    .negate()
    .extend({ top: 60, bottom: 60, left: 60, right: 60, background: 'white' })
    .toColourspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data: new Uint8Array(data) };
}

async function main() {
  const [modelsDir, requested] = process.argv.slice(2);
  const networks = await Networks.load(modelsDir);
  const results = {};
  for (const [font, lines] of Object.entries(JSON.parse(requested))) {
    const raster = await drawText(font, lines);
    const page = await readText(networks, await detectPageText(networks, raster, CARD_TEXT));
    const image = new ImagePyramid(raster);
    const read = [];
    for (const line of page.lines) {
      const reading = await readLine(networks, image, line);
      read.push({ alphabets: reading.read.text, all: (await readAllScripts(networks, reading)).text });
    }
    results[font] = { page: page.read.map(({ text }) => text), lines: read };
  }
  await networks.release();
  console.log(JSON.stringify(results));
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
