import { Alert, List } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { describeFailure, listCodedProblems, listProblems } from '../../shared/failures';
import { isMalformedId, useFailureText } from './use-failure-text';
import { useProblemText } from './use-problem-text';

/** A failure in words, with the problems that it lists. */
export function FailureMessage({ error }: { error: unknown }) {
  const { t } = useTranslation('shared');
  const { t: common } = useTranslation('common');
  const describe = useProblemText();
  const text = useFailureText()(error);
  // The user has not typed what is wrong with the address of a page.
  if (isMalformedId(error)) return text ?? describeFailure(error, t);
  const coded = listCodedProblems(error);
  const message = text ?? (coded.length > 0 ? common('problems.check') : describeFailure(error, t));
  const problems =
    coded.length > 0 ? coded.map((each) => `${each.field}: ${describe(each)}`) : listProblems(error, message);
  return (
    <>
      {message}
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
