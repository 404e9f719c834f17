import { notifications } from '@mantine/notifications';
import { FailureMessage } from './failure';

/** Shows why something was not done, until the user closes it. */
export const notifyFailure = (error: unknown) =>
  void notifications.show({ color: 'red', autoClose: false, message: <FailureMessage error={error} /> });
