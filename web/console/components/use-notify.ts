import { notifications } from '@mantine/notifications';

/** Shows a short message that something was done. */
export const useNotify = () => (message: string) => void notifications.show({ message });
