import { loadConfig, requireJwtSecret } from '../lib/config';
import { watchEventLoop } from '../lib/event-loop-watchdog';
import { logStartFailure } from '../lib/process-log';
import { requireHiddenSecrets } from '../lib/secret-settings';
import { requireSafeCookies, requireTransportSecurity } from '../lib/transport-security';

async function main(): Promise<void> {
  if (process.argv.includes('--help')) {
    process.stdout.write('Usage: api/main.js [--check]\n');
    return;
  }
  const config = loadConfig();
  requireHiddenSecrets();
  requireJwtSecret(config);
  requireTransportSecurity(config);
  requireSafeCookies(config);
  if (process.argv.includes('--check')) {
    process.stdout.write('configuration valid\n');
    return;
  }
  watchEventLoop('api', config.EVENT_LOOP_LIMIT_SECONDS);
  // Loaded only now: all modules of the service take ten times as long to load as those that check the configuration.
  const { serve } = await import('./serve.js');
  await serve(config);
}

main().catch((error: unknown) => {
  logStartFailure('api', error);
  process.exit(1);
});
