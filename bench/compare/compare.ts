import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { scoreNames } from '../../domain/identity/aml/name-score';
import { prepareName } from '../../domain/identity/aml/names';
import { MATCH_THRESHOLD } from '../../domain/identity/aml/thresholds';
import { generateListPairs } from '../aml/list-pairs';
import type { Pair } from '../aml/list-pairs';
import { computeMatchAccuracy } from '../aml/match-accuracy';
import { readLoadAverage } from '../process-meters';
import { report, roundTo } from '../report';

const PYTHON = process.env['BENCH_PYTHON'] ?? '.vouch/compare/bin/python';
const SCRIPT = 'bench/compare/score-names.py';
const RESULTS = 'bench/results';
const WARM_UP = 500;
/** Thresholds of the other matchers that are tried, from 0 to 100. */
const THRESHOLDS = Array.from({ length: 101 }, (_, threshold) => threshold);

const matcherSchema = z.object({ version: z.string(), microsecondsAPair: z.number(), scores: z.array(z.number()) });
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

/**
 * Accuracy on the second half of the entries. Without a threshold of its own, a matcher has the one with the best F1 on
 * the first half.
 */
function measureAccuracy(pairs: readonly Pair[], scores: readonly number[], own?: number) {
  const scored = pairs.map((pair, index) => ({ ...pair, score: (scores[index] ?? 0) * 100 }));
  const first = scored.filter(({ half }) => half === 'first');
  const computeF1 = (threshold: number): number => computeMatchAccuracy(first, threshold).f1;
  const threshold =
    own ?? THRESHOLDS.reduce((best, candidate) => (computeF1(candidate) > computeF1(best) ? candidate : best));
  const unseen = scored.filter(({ half }) => half === 'other');
  return { threshold, f1: computeMatchAccuracy(unseen, threshold).f1, pairs: unseen.length };
}

/** Name matching of this service, RapidFuzz and nomenklatura on the same pairs. Writes the figures to `bench/results`. */
export async function benchCompare(files: readonly string[]): Promise<void> {
  const pairs = await generateListPairs(files);
  const ours = scoreOurselves(pairs);
  const { rapidfuzz, nomenklatura } = await scoreWithPython(pairs);
  const accuracy = {
    ours: measureAccuracy(pairs, ours.scores, MATCH_THRESHOLD),
    rapidfuzz: measureAccuracy(pairs, rapidfuzz.scores),
    nomenklatura: measureAccuracy(pairs, nomenklatura.scores),
  };
  const figures = {
    lists: files.map((file) => path.basename(file)).join(', '),
    unseenPairs: accuracy.ours.pairs,
    f1: accuracy.ours.f1,
    microsecondsAPair: roundTo(ours.microsecondsAPair, 1),
    ...describeOther('rapidfuzz', rapidfuzz, accuracy.rapidfuzz, ours.microsecondsAPair),
    ...describeOther('nomenklatura', nomenklatura, accuracy.nomenklatura, ours.microsecondsAPair),
    load: readLoadAverage(),
  };
  report('compare', figures);
  await mkdir(RESULTS, { recursive: true });
  const file = path.join(RESULTS, 'compare.json');
  await writeFile(file, `${JSON.stringify({ measuredAt: new Date().toISOString(), ...figures }, null, 2)}\n`);
  console.log(`  written to ${file}`);
}

/** Figures of another matcher; its time in ours says how many times as long it takes. */
const describeOther = (
  name: string,
  { version, microsecondsAPair }: { version: string; microsecondsAPair: number },
  { threshold, f1 }: { threshold: number; f1: number },
  ourMicroseconds: number,
): Record<string, number | string> => ({
  [`${name}Version`]: version,
  [`${name}Threshold`]: threshold,
  [`${name}F1`]: f1,
  [`${name}MicrosecondsAPair`]: roundTo(microsecondsAPair, 1),
  [`${name}TimeInOurs`]: roundTo(microsecondsAPair / ourMicroseconds, 2),
});
