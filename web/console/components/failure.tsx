import { Alert, List } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { describeFailure, listProblems } from '../../shared/failures';

/** A failure in words, with the problems that it lists. */
export function FailureMessage({ error }: { error: unknown }) {
  const { t } = useTranslation('shared');
  const problems = listProblems(error);
  return (
    <>
      {describeFailure(error, t)}
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
