import { useIdle } from '@mantine/hooks';
import { useSessionQuery } from '../session';

/** Time without input of the user after which a page is no longer refreshed. */
const UNATTENDED_MS = 5 * 60_000;

/**
 * The interval at which a page reads its records again; false while the page is not used, whose requests would otherwise
 * keep the sign-in of an unattended computer alive.
 *
 * @param intervalMs false for records that do not change any more
 */
export function useRefreshInterval(intervalMs: number | false): number | false {
  const isUnattended = useIdle(UNATTENDED_MS, { initialState: false });
  const { data: session } = useSessionQuery();
  return isUnattended || session === null ? false : intervalMs;
}
