import path from 'node:path';
import { z } from 'zod';
import { scoreNames } from '../../domain/identity/aml/name-score';
import { prepareName } from '../../domain/identity/aml/names';
import { computeAreaUnderCurve } from '../area-under-curve';
import { generateListPairs } from '../aml/list-pairs';
import type { Pair } from '../aml/list-pairs';
import { roundTo } from '../report';
import type { Figures } from './figures';
import { runPython } from './python';

const SCRIPT = 'bench/compare/score-names.py';
const WARM_UP = 500;
const matcherSchema = z.object({ version: z.string(), microsecondsAPair: z.number(), scores: z.array(z.number()) });
type Matcher = z.infer<typeof matcherSchema>;
const repliesSchema = z.object({ rapidfuzz: matcherSchema, nomenklatura: matcherSchema });

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

/** Name matching of this service, RapidFuzz and nomenklatura on the same pairs, generated from watch lists. */
export async function compareNames(files: readonly string[]): Promise<Figures> {
  // The other half is the one that mistakes are looked at in.
  const pairs = (await generateListPairs(files)).filter(({ half }) => half === 'other');
  const ours = scoreOurselves(pairs);
  const requests = pairs.map(({ nameClass: type, name1, name2 }) => ({ type, name1, name2 }));
  const { rapidfuzz, nomenklatura } = await runPython(SCRIPT, requests, repliesSchema);
  const describeOther = (name: string, { version, microsecondsAPair, scores }: Matcher) => ({
    [`${name}Version`]: version,
    [`${name}AreaUnderCurve`]: measureSeparation(pairs, scores),
    [`${name}MicrosecondsAPair`]: roundTo(microsecondsAPair, 1),
    [`${name}TimePerOurs`]: roundTo(microsecondsAPair / ours.microsecondsAPair, 2),
  });
  return {
    lists: files.map((file) => path.basename(file)).join(', '),
    pairs: pairs.length,
    areaUnderCurve: measureSeparation(pairs, ours.scores),
    microsecondsAPair: roundTo(ours.microsecondsAPair, 1),
    ...describeOther('rapidfuzz', rapidfuzz),
    ...describeOther('nomenklatura', nomenklatura),
  };
}
