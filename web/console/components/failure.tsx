import { Alert, List } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { VouchError } from '../../../clients/typescript/src/errors';
import { describeFailure, listCodedProblems, listProblems } from '../../shared/failures';
import { useProblemText } from './use-problem-text';

/** Failures by their code that mean more to a user in other words than those of the API. */
const TEXTS = { pdf_not_ready: 'fileNotReady', forbidden: 'actionNotPermitted' } as const;

const findText = (error: unknown) =>
  error instanceof VouchError ? Object.entries(TEXTS).find(([code]) => code === error.code)?.[1] : undefined;

/** A failure in words, with the problems that it lists. */
export function FailureMessage({ error }: { error: unknown }) {
  const { t } = useTranslation('shared');
  const { t: common } = useTranslation('common');
  const describe = useProblemText();
  const text = findText(error);
  const coded = listCodedProblems(error);
  const problems = coded.length > 0 ? coded.map((each) => `${each.field}: ${describe(each)}`) : listProblems(error);
  return (
    <>
      {coded.length > 0 ? common('problems.check') : text === undefined ? describeFailure(error, t) : common(text)}
      {problems.length > 0 && (
        <List size="sm" mt="xs">
          {problems.map((problem) => (
            <List.Item key={problem}>{problem}</List.Item>
          ))}
        </List>
      )}
    </>
  );
}

/** What went wrong, in place of what could not be read or done; nothing without an error. */
export function Failure({ error }: { error: unknown }) {
  if (error === null || error === undefined) return null;
  return (
    <Alert color="red" role="alert">
      <FailureMessage error={error} />
    </Alert>
  );
}
