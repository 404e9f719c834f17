import { Alert } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { describeFailure } from '../../shared/failures';

/** What went wrong, in place of what could not be read or done; nothing without an error. */
export function Failure({ error }: { error: unknown }) {
  const { t } = useTranslation('shared');
  if (error === null || error === undefined) return null;
  return (
    <Alert color="red" role="alert">
      {describeFailure(error, t)}
    </Alert>
  );
}
