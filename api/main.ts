import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import type { Express } from 'express';
import { ConfigError, loadConfig, requireSafeCookies, requireTransportSecurity } from '../lib/config';
import type { Config } from '../lib/config';
import { closePlatform, createPlatform } from '../services/platform/bootstrap';
import { ensureIndexes } from '../models';
import { createApp } from './app';

function createServer(config: Config, app: Express) {
  if (config.TLS_CERT === undefined || config.TLS_KEY === undefined) return createHttpServer(app);
  return createHttpsServer(
    { cert: readFileSync(config.TLS_CERT), key: readFileSync(config.TLS_KEY), minVersion: 'TLSv1.2' },
    app,
  );
}

async function main(): Promise<void> {
  if (process.argv.includes('--help')) {
    process.stdout.write('Usage: api/main.js [--check]\n');
    return;
  }
  const config = loadConfig();
  requireTransportSecurity(config);
  requireSafeCookies(config);
  if (process.argv.includes('--check')) {
    process.stdout.write('configuration valid\n');
    return;
  }
  const platform = await createPlatform(config, { name: 'api', watch: true });
  const { logger } = platform;
  await ensureIndexes();
  await platform.objects.ensureBucket().catch((error: unknown) => {
    logger.warn({ err: error }, 'The object store does not respond yet; see /readyz');
  });
  const server = createServer(config, createApp(platform));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(config.PORT, config.HOST, resolve);
  });
  logger.info({ port: (server.address() as AddressInfo).port }, 'API is listening');

  let stopping = false;
  const stop = (signal: string): void => {
    if (stopping) return;
    stopping = true;
    logger.info({ signal }, 'API is shutting down');
    // Running requests are completed; idle connections are closed immediately.
    server.close(() => {
      void closePlatform(platform).finally(() => process.exit(0));
    });
    server.closeIdleConnections();
    setTimeout(() => process.exit(1), config.SHUTDOWN_GRACE_SECONDS * 1000).unref();
  };
  process.on('SIGTERM', () => stop('SIGTERM'));
  process.on('SIGINT', () => stop('SIGINT'));
}

main().catch((error: unknown) => {
  process.stderr.write(
    `${error instanceof ConfigError ? error.message : String(error instanceof Error ? error.stack : error)}\n`,
  );
  process.exit(1);
});
