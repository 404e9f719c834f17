import type { Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

/** @returns false if the port is in use */
const listenOnce = (server: Server, port: number): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const ready = (): void => {
      server.off('error', failed);
      resolve(true);
    };
    const failed = (error: NodeJS.ErrnoException): void => {
      server.off('listening', ready);
      if (error.code === 'EADDRINUSE') resolve(false);
      else reject(error);
    };
    server.once('error', failed).once('listening', ready).listen(port, '127.0.0.1');
  });

/** Listens on a local port, waiting until it is free. */
export async function listenWhenFree(server: Server, port: number): Promise<void> {
  while (!(await listenOnce(server, port))) await delay(100);
}
