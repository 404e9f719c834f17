import { MATCH_THRESHOLD } from '../domain/aml/thresholds';
import { prepareName } from '../domain/aml/names';
import type { NameClass } from '../domain/aml/names';
import { scoreNames } from '../domain/aml/name-score';
import { readLabels, report, rounded } from './report';
import type { BenchInput } from './report';

/** How a name is read, by the schema a row of the file names; whatever is no person or craft is an organisation. */
function classOfSchema(schema: string): NameClass {
  if (/^person$/i.test(schema)) return 'person';
  return /^(?:vessel|airplane|aircraft)$/i.test(schema) ? 'craft' : 'organisation';
}

interface Judged {
  schema: string;
  name1: string;
  name2: string;
  isMatch: boolean;
  score: number;
}

/** Score of a pair of names, 0–100, without anything known of how common their words are. */
const scorePair = (name1: string, name2: string, nameClass: NameClass): number =>
  scoreNames(prepareName(name1, nameClass), prepareName(name2, nameClass)).score * 100;

function figures(pairs: readonly Judged[], threshold: number): Record<string, number> {
  const count = (isMatch: boolean, above: boolean): number =>
    pairs.filter((pair) => pair.isMatch === isMatch && pair.score >= threshold === above).length;
  const hits = count(true, true);
  const precision = hits / Math.max(1, hits + count(false, true));
  const recall = hits / Math.max(1, hits + count(true, false));
  return {
    pairs: pairs.length,
    precision: rounded(precision),
    recall: rounded(recall),
    f1: rounded((2 * precision * recall) / Math.max(1e-9, precision + recall)),
    accuracy: rounded((hits + count(false, false)) / Math.max(1, pairs.length)),
  };
}

/**
 * Labelled pairs of names (`schema,name1,name2,is_match`) against the scoring, at the default threshold of the service.
 * `--rows` prints every pair that is judged otherwise than labelled.
 */
export async function benchAmlPairs({ files, rows }: BenchInput): Promise<void> {
  const [file] = files;
  if (file === undefined) throw new Error('Usage: npm run bench -- aml-pairs <pairs.csv> [--rows]');
  const labels = await readLabels(file);
  const started = performance.now();
  const judged = labels.rows.map(({ schema = '', name1 = '', name2 = '', is_match: label = '' }): Judged => {
    const isMatch = /^(?:true|1|yes)$/i.test(label.trim());
    return { schema, name1, name2, isMatch, score: scorePair(name1, name2, classOfSchema(schema)) };
  });
  const elapsedMs = performance.now() - started;
  const wrong = judged.filter(({ isMatch, score }) => isMatch !== score >= MATCH_THRESHOLD);
  if (rows) for (const pair of wrong) console.log(JSON.stringify({ ...pair, score: rounded(pair.score, 1) }));
  report('aml-pairs', {
    threshold: MATCH_THRESHOLD,
    ...figures(judged, MATCH_THRESHOLD),
    ...Object.fromEntries(
      [...new Set(judged.map(({ schema }) => schema))].map((schema) => [
        `f1 ${schema}`,
        figures(
          judged.filter((pair) => pair.schema === schema),
          MATCH_THRESHOLD,
        )['f1'] ?? 0,
      ]),
    ),
    microsecondsAPair: rounded((elapsedMs * 1000) / Math.max(1, judged.length), 1),
  });
}
