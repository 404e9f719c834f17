import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { scoreNames } from '../../domain/identity/aml/name-score';
import { prepareName } from '../../domain/identity/aml/names';
import { computeAreaUnderCurve } from '../area-under-curve';
import { generateListPairs } from '../aml/list-pairs';
import type { Pair } from '../aml/list-pairs';
import { readLoadAverage } from '../process-meters';
import { report, roundTo } from '../report';

const PYTHON = process.env['BENCH_PYTHON'] ?? '.vouch/compare/bin/python';
const SCRIPT = 'bench/compare/score-names.py';
const RESULTS = 'bench/results';
const WARM_UP = 500;
const matcherSchema = z.object({ version: z.string(), microsecondsAPair: z.number(), scores: z.array(z.number()) });
type Matcher = z.infer<typeof matcherSchema>;
const repliesSchema = z.object({ rapidfuzz: matcherSchema, nomenklatura: matcherSchema });

/** Scores pairs with the matchers of the Python environment. */
async function scoreWithPython(pairs: readonly Pair[]): Promise<z.infer<typeof repliesSchema>> {
  const python = spawn(PYTHON, [SCRIPT], { stdio: ['pipe', 'pipe', 'inherit'] });
  const failed = new Promise<never>((_resolve, reject) => {
    python.once('error', (error) => reject(new Error(`${PYTHON} could not be started: ${error.message}`)));
    python.once('exit', (code) => {
      if (code !== 0) reject(new Error(`${SCRIPT} ended with code ${code}.`));
    });
  });
  python.stdin.end(pairs.map(({ nameClass: type, name1, name2 }) => JSON.stringify({ type, name1, name2 })).join('\n'));
  return repliesSchema.parse(JSON.parse(await Promise.race([text(python.stdout), failed])));
}

const scorePair = ({ name1, name2, nameClass }: Pair): number =>
  scoreNames(prepareName(name1, nameClass), prepareName(name2, nameClass)).score;

/** Scores pairs as the others do: each alone, without the weights of words in a list. */
function scoreOurselves(pairs: readonly Pair[]): { microsecondsAPair: number; scores: number[] } {
  pairs.slice(0, WARM_UP).forEach(scorePair);
  const before = process.cpuUsage();
  const scores = pairs.map(scorePair);
  const { user, system } = process.cpuUsage(before);
  return { microsecondsAPair: (user + system) / Math.max(1, pairs.length), scores };
}

/** How well scores separate matches from others, whatever the threshold. */
const measureSeparation = (pairs: readonly Pair[], scores: readonly number[]): number =>
  roundTo(computeAreaUnderCurve(pairs.map(({ isMatch }, index) => ({ isMatch, score: scores[index] ?? 0 }))));

/** Name matching of this service, RapidFuzz and nomenklatura on the same pairs. Writes the figures to `bench/results`. */
export async function benchCompare(files: readonly string[]): Promise<void> {
  // The other half is the one that mistakes are looked at in.
  const pairs = (await generateListPairs(files)).filter(({ half }) => half === 'other');
  const ours = scoreOurselves(pairs);
  const { rapidfuzz, nomenklatura } = await scoreWithPython(pairs);
  const describeOther = (name: string, { version, microsecondsAPair, scores }: Matcher) => ({
    [`${name}Version`]: version,
    [`${name}AreaUnderCurve`]: measureSeparation(pairs, scores),
    [`${name}MicrosecondsAPair`]: roundTo(microsecondsAPair, 1),
    [`${name}TimePerOurs`]: roundTo(microsecondsAPair / ours.microsecondsAPair, 2),
  });
  const figures = {
    lists: files.map((file) => path.basename(file)).join(', '),
    pairs: pairs.length,
    areaUnderCurve: measureSeparation(pairs, ours.scores),
    microsecondsAPair: roundTo(ours.microsecondsAPair, 1),
    ...describeOther('rapidfuzz', rapidfuzz),
    ...describeOther('nomenklatura', nomenklatura),
    load: readLoadAverage(),
  };
  report('compare', figures);
  await mkdir(RESULTS, { recursive: true });
  const file = path.join(RESULTS, 'compare.json');
  await writeFile(file, `${JSON.stringify({ measuredAt: new Date().toISOString(), ...figures }, null, 2)}\n`);
  console.log(`  written to ${file}`);
}
