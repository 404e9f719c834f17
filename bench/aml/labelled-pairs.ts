import { MATCH_THRESHOLD } from '../../domain/identity/aml/thresholds';
import { prepareName } from '../../domain/identity/aml/names';
import type { NameClass } from '../../domain/identity/aml/names';
import { scoreNames } from '../../domain/identity/aml/name-score';
import { computeMatchFigures } from './match-accuracy';
import { readLabels, report, roundTo } from '../report';
import type { BenchInput } from '../report';

/** How a name is read, by the schema a row of the file names; whatever is no person or craft is an organisation. */
function toNameClass(schema: string): NameClass {
  if (/^person$/i.test(schema)) return 'person';
  return /^(?:vessel|airplane|aircraft)$/i.test(schema) ? 'craft' : 'organisation';
}

interface JudgedPair {
  schema: string;
  name1: string;
  name2: string;
  isMatch: boolean;
  score: number;
}

/** Score of a pair of names, 0–100, without anything known of how common their words are. */
const scorePair = (name1: string, name2: string, nameClass: NameClass): number =>
  scoreNames(prepareName(name1, nameClass), prepareName(name2, nameClass)).score * 100;

/**
 * Labelled pairs of names (`schema,name1,name2,is_match`) against the scoring, at the default threshold of the service.
 * `--rows` prints every pair that is judged otherwise than labelled.
 */
export async function benchAmlPairs({ files, rows }: BenchInput): Promise<void> {
  const [file] = files;
  if (file === undefined) throw new Error('Usage: npm run bench -- aml-pairs <pairs.csv> [--rows]');
  const labels = await readLabels(file);
  const started = performance.now();
  const judged = labels.rows.map(({ schema = '', name1 = '', name2 = '', is_match: label = '' }): JudgedPair => {
    const isMatch = /^(?:true|1|yes)$/i.test(label.trim());
    return { schema, name1, name2, isMatch, score: scorePair(name1, name2, toNameClass(schema)) };
  });
  const elapsedMs = performance.now() - started;
  const wrong = judged.filter(({ isMatch, score }) => isMatch !== score >= MATCH_THRESHOLD);
  if (rows) for (const pair of wrong) console.log(JSON.stringify({ ...pair, score: roundTo(pair.score, 1) }));
  report('aml-pairs', {
    threshold: MATCH_THRESHOLD,
    ...computeMatchFigures(judged, MATCH_THRESHOLD),
    ...Object.fromEntries(
      [...new Set(judged.map(({ schema }) => schema))].map((schema) => [
        `f1 ${schema}`,
        computeMatchFigures(
          judged.filter((pair) => pair.schema === schema),
          MATCH_THRESHOLD,
        ).f1,
      ]),
    ),
    microsecondsAPair: roundTo((elapsedMs * 1000) / Math.max(1, judged.length), 1),
  });
}
