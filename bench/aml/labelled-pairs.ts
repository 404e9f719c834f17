import { MATCH_THRESHOLD } from '../../domain/identity/aml/thresholds';
import { prepareName } from '../../domain/identity/aml/names';
import type { NameClass } from '../../domain/identity/aml/names';
import { scoreNames } from '../../domain/identity/aml/name-score';
import { computeMatchAccuracy } from './match-accuracy';
import { readLabels } from '../labels';
import { report, roundTo } from '../report';

/** Class of a name by the schema of its row; an organisation unless the schema is a person or a craft. */
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

/** Score of a pair of names, 0–100, with equal weight for every word. */
const scorePair = (name1: string, name2: string, nameClass: NameClass): number =>
  scoreNames(prepareName(name1, nameClass), prepareName(name2, nameClass)).score * 100;

/**
 * Scores labelled pairs of names at the default threshold of the service.
 *
 * @param file columns schema, name1, name2 and is_match
 * @param printRows prints every pair classified differently from its label
 */
export async function benchAmlLabelledPairs(file: string, printRows: boolean): Promise<void> {
  const labels = await readLabels(file);
  const started = performance.now();
  const judged = labels.rows.map(({ schema = '', name1 = '', name2 = '', is_match: label = '' }): JudgedPair => {
    const isMatch = /^(?:true|1|yes)$/i.test(label.trim());
    return { schema, name1, name2, isMatch, score: scorePair(name1, name2, toNameClass(schema)) };
  });
  const elapsedMs = performance.now() - started;
  const wrong = judged.filter(({ isMatch, score }) => isMatch !== score >= MATCH_THRESHOLD);
  if (printRows) for (const pair of wrong) console.log(JSON.stringify({ ...pair, score: roundTo(pair.score, 1) }));
  report('aml-pairs', {
    threshold: MATCH_THRESHOLD,
    ...computeMatchAccuracy(judged, MATCH_THRESHOLD),
    ...Object.fromEntries(
      [...new Set(judged.map(({ schema }) => schema))].map((schema) => [
        `f1 ${schema}`,
        computeMatchAccuracy(
          judged.filter((pair) => pair.schema === schema),
          MATCH_THRESHOLD,
        ).f1,
      ]),
    ),
    microsecondsAPair: roundTo((elapsedMs * 1000) / Math.max(1, judged.length), 1),
  });
}
