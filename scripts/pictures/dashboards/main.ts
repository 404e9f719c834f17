import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'puppeteer';
import { z } from 'zod';
import type { RunningService } from '../../demo/running-service';
import { readAlerts, readDashboards } from './definitions';
import { drawDashboards } from './draw';
import { evaluateDashboard } from './evaluate';
import { SCRAPE_INTERVAL_MS, scrapeUnderLoad } from './load';
import { photographTemporal } from './temporal';

const DEPLOY = 'deploy';

const toolSchema = z.object({
  resolvePrometheus: z.custom<() => Promise<string>>((each) => typeof each === 'function'),
});

/** The program with the engine of Prometheus, which is compiled on first use. */
async function resolveProgram(): Promise<string> {
  const file = path.resolve('scripts', 'toolchain', 'prometheus.mjs');
  return toolSchema.parse({ ...(await import(pathToFileURL(file).href)) }).resolvePrometheus();
}

/**
 * Loads the running service for some minutes, and writes pictures of what its dashboards show and of the Temporal UI.
 * @throws Error without METRICS_TOKEN, with which the service must have been started
 */
export async function photographDashboards(
  browser: Browser,
  run: RunningService,
  { minutes, folder }: { minutes: number; folder: string },
): Promise<void> {
  const token = process.env['METRICS_TOKEN'];
  if (token === undefined)
    throw new Error('METRICS_TOKEN is not set: start the service and this command with the same.');
  const program = await resolveProgram();
  const save = async (name: string, picture: Buffer): Promise<void> => {
    const file = path.join(folder, name);
    await writeFile(file, picture);
    console.log(`${file}: ${Math.round(picture.length / 1024)} kB`);
  };
  const scrapes = await scrapeUnderLoad(run, { minutes, token }, () => photographTemporal(browser, run, save));
  const measured = { program, scrapes, alerts: readAlerts(DEPLOY), intervalMs: SCRAPE_INTERVAL_MS };
  const evaluated = [...readDashboards(DEPLOY)].map(
    ([file, dashboard]) => [path.basename(file, '.json'), evaluateDashboard(dashboard, measured)] as const,
  );
  for (const [name, picture] of await drawDashboards(browser, new Map(evaluated)))
    await save(`dashboard-${name.replace(/^vouch-/, '')}.webp`, picture);
}
