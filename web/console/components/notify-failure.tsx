import { notifications } from '@mantine/notifications';
import { AuthenticationError, PermissionError } from '../../../clients/typescript/src/errors';
import { FailureMessage } from './failure';

/** Shows why something was not done, until the user closes it; the sign-in page says itself that the sign-in has ended. */
export function notifyFailure(error: unknown): void {
  if (error instanceof AuthenticationError) return;
  // A notice with an id is shown once.
  const id = error instanceof PermissionError ? { id: error.code } : {};
  notifications.show({ ...id, color: 'red', autoClose: false, message: <FailureMessage error={error} /> });
}
