import { useTranslation } from 'react-i18next';
import type { FieldProblem } from '../../../clients/typescript/src/errors';
import { formatIfDay, formatNumber } from '../../shared/format';
import type en from '../locales/en/common.json';

type ProblemCode = keyof (typeof en)['problems'];

/** A value in the text of a problem, as the user writes numbers and dates. */
const formatValue = (value: string): string =>
  value === '' || Number.isNaN(Number(value)) ? formatIfDay(value) : formatNumber(Number(value));

/** The text of a problem in the language of the console; one without a code that is known has the text of the API. */
export function useProblemText(): (problem: FieldProblem) => string {
  const { t } = useTranslation('common');
  return ({ problem, code, params = {} }) => {
    if (code === undefined) return problem;
    const values = Object.entries(params).map(([name, value]): [string, string] => [name, formatValue(value)]);
    return t(`problems.${code as ProblemCode}`, { ...Object.fromEntries(values), defaultValue: problem });
  };
}
