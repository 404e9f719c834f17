/** `npm run tools [-- --check]`: fetches what is missing and lists every tool; with --check fetches nothing. */
import { resolve, tools, toolsFolder } from './tools.mjs';

const fetchMissing = !process.argv.includes('--check');
let missing = 0;
console.log(`cache: ${toolsFolder()}`);
for (const name of Object.keys(tools)) {
  const began = Date.now();
  try {
    const { source, executable, url } = await resolve(name, { fetchMissing });
    console.log(
      `${name.padEnd(20)} ${source.padEnd(12)} ${((Date.now() - began) / 1000).toFixed(1).padStart(6)} s  ${executable ?? url}`,
    );
  } catch (error) {
    missing += 1;
    console.log(`${name.padEnd(20)} missing\n${error.message}`);
  }
}
process.exitCode = missing === 0 ? 0 : 1;
