import { ConfigError } from './config-error';

/**
 * Changes a process that was started as root to another user, once it has read its secrets. The kernel then also marks
 * the process as one that others of this user cannot inspect: neither decoders nor Chromium can read its environment,
 * memory or open files in `/proc`, nor the secret files of root. Node.js has no call for that mark itself.
 *
 * @param user `<uid>:<gid>`; undefined or empty changes nothing
 * @throws ConfigError if the process may not change its user
 */
export function changeUser(user: string | undefined): void {
  const [uid, gid] = user === undefined || user === '' ? [] : user.split(':').map(Number);
  if (uid === undefined || gid === undefined) return;
  if (process.getuid?.() === uid && process.getgid?.() === gid) {
    throw new ConfigError('RUN_AS: names the user that the worker runs as already; start the worker as root.');
  }
  try {
    process.setgroups?.([]);
    process.setgid?.(gid);
    process.setuid?.(uid);
  } catch {
    throw new ConfigError('RUN_AS: the worker may not change its user; start it as root, or leave RUN_AS out.');
  }
}
