import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApp } from '../../../api/app';
import { createServer } from '../../../api/http/server';
import { loadConfig } from '../../../lib/config';
import type { Config } from '../../../lib/config';
import type { Platform } from '../../../services/platform/platform';
import { getTestPlatform } from '../tenant';

/** An API process in the test on the engines of the stack, with an adjustable clock and a separate configuration. */
export interface OwnApi {
  url: string;
  platform: Platform;
  advance(milliseconds: number): void;
  close(): Promise<void>;
}

/** Every caller sends its address in X-Forwarded-For, so that rate limits are not shared with other tests. */
export async function startOwnApi(overrides: Partial<Config> = {}): Promise<OwnApi> {
  const shared = await getTestPlatform();
  let offset = 0;
  const config = { ...loadConfig(), LOG_LEVEL: 'error' as const, TRUSTED_PROXIES: ['loopback'], ...overrides };
  const platform: Platform = { ...shared, config, clock: { now: () => new Date(Date.now() + offset) } };
  const server = await new Promise<Server>((resolve) => {
    const listening = createServer(config, createApp(platform)).listen(0, '127.0.0.1', () => resolve(listening));
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    platform,
    advance: (milliseconds) => {
      offset += milliseconds;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** An address of the documentation block that no other test uses. */
export const createTestAddress = (): string =>
  `2001:db8:${[0, 0].map(() => Math.floor(Math.random() * 65_536).toString(16)).join(':')}::1`;
