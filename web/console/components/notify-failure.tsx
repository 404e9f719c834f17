import { notifications } from '@mantine/notifications';
import { AuthenticationError } from '../../../clients/typescript/src/errors';
import { FailureMessage } from './failure';

/** Shows why something was not done, until the user closes it; the sign-in page says itself that the sign-in has ended. */
export function notifyFailure(error: unknown): void {
  if (error instanceof AuthenticationError) return;
  notifications.show({ color: 'red', autoClose: false, message: <FailureMessage error={error} /> });
}
