import type { Command } from 'commander';
import { loadConfig } from '../../lib/config';
import { pingMongo } from '../../lib/mongo';
import { pingTemporal } from '../../lib/temporal';
import { diagnoseExports } from '../../services/business/diagnosis/exports';
import { diagnoseInvariants } from '../../services/business/diagnosis/invariants';
import { diagnoseMessages } from '../../services/business/diagnosis/messages';
import { diagnoseRenditions } from '../../services/business/diagnosis/renditions';
import { diagnoseLists } from '../../services/identity/diagnosis/lists';
import { diagnoseSessions } from '../../services/identity/diagnosis/sessions';
import { getSchemaStatus } from '../../services/migrations';
import { closePlatform, createPlatform } from '../../services/platform/bootstrap';
import { diagnoseOutbox } from '../../services/platform/diagnosis/outbox';
import { formatAge } from '../../services/platform/diagnosis/problem';
import type { Problem } from '../../services/platform/diagnosis/problem';
import { diagnoseSchema } from '../../services/platform/diagnosis/schema';
import { diagnosePools, diagnoseSchedules, diagnoseWorkflows } from '../../services/platform/diagnosis/temporal';
import { diagnoseWebhooks } from '../../services/platform/diagnosis/webhooks';
import type { Platform } from '../../services/platform/platform';
import { getServiceEnvironment } from '../demo/running-service';

type Examine = (platform: Platform) => Promise<Problem[]>;

/** Engines without which the rest cannot be examined. */
const ENGINES: readonly { area: string; examine: (platform: Platform) => Promise<unknown>; remedy: string }[] = [
  { area: 'mongodb', examine: () => pingMongo(), remedy: 'Start MongoDB, or correct MONGO_URL.' },
  {
    area: 'temporal',
    examine: ({ temporal, config }) => pingTemporal(temporal, config.TEMPORAL_NAMESPACE),
    remedy: 'Start Temporal, or correct TEMPORAL_ADDRESS and TEMPORAL_NAMESPACE.',
  },
  {
    area: 'objects',
    examine: ({ objects }) => objects.health(),
    remedy: 'Start the object store, or correct S3_ENDPOINT, S3_BUCKET and its keys.',
  },
];

/** What is examined, by the engines that it needs. */
const EXAMINATIONS: readonly { needs: readonly string[]; examine: Examine }[] = [
  { needs: ['temporal'], examine: diagnosePools },
  { needs: ['temporal'], examine: diagnoseSchedules },
  { needs: ['temporal'], examine: diagnoseWorkflows },
  { needs: ['mongodb'], examine: diagnoseOutbox },
  { needs: ['mongodb', 'temporal'], examine: diagnoseSessions },
  { needs: ['mongodb'], examine: diagnoseWebhooks },
  { needs: ['mongodb'], examine: diagnoseRenditions },
  { needs: ['mongodb'], examine: diagnoseExports },
  { needs: ['mongodb'], examine: diagnoseMessages },
  { needs: ['mongodb'], examine: diagnoseInvariants },
  { needs: ['mongodb'], examine: diagnoseLists },
];

async function examineEngine(platform: Platform, { area, examine, remedy }: (typeof ENGINES)[number]) {
  try {
    await examine(platform);
    return [];
  } catch (error) {
    const summary = `${area} does not respond (${error instanceof Error ? error.message : String(error)})`;
    return [{ area, summary, count: 1, since: null, examples: [], remedy }];
  }
}

/** Records in the form of another version are not examined. */
async function diagnose(platform: Platform): Promise<Problem[]> {
  const engines: Problem[][] = await Promise.all(ENGINES.map((engine) => examineEngine(platform, engine)));
  const unavailable = engines.flat().map(({ area }) => area);
  const schema = unavailable.includes('mongodb')
    ? []
    : diagnoseSchema(await getSchemaStatus(platform), platform.clock.now());
  if (schema.length > 0) unavailable.push('mongodb');
  const found = await Promise.all(
    EXAMINATIONS.filter(({ needs }) => !needs.some((area) => unavailable.includes(area))).map(({ examine }) =>
      examine(platform),
    ),
  );
  return [...engines, ...schema, ...found].flat();
}

function describeProblem({ area, summary, count, since, examples, remedy }: Problem, now: Date): string {
  const age = since === null ? '' : `, the first for ${formatAge(now.getTime() - since.getTime())}`;
  return [`${area}: ${summary} (${count}${age})`, ...examples.map((example) => `    ${example}`), `  → ${remedy}`].join(
    '\n',
  );
}

/** Prints what is stuck. @returns whether anything is */
async function printDiagnosis(json: boolean): Promise<boolean> {
  const config = { ...loadConfig(getServiceEnvironment()), LOG_LEVEL: 'silent' as const };
  const platform = await createPlatform(config, { name: 'doctor', watch: false });
  try {
    const problems = await diagnose(platform);
    const descriptions = problems.map((problem) => describeProblem(problem, platform.clock.now()));
    const text = descriptions.length === 0 ? 'Nothing is stuck.' : descriptions.join('\n\n');
    process.stdout.write(json ? `${JSON.stringify({ problems })}\n` : `${text}\n`);
    return problems.length > 0;
  } finally {
    await closePlatform(platform);
  }
}

/** `npm run doctor`. */
export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('list what is stuck and what to do about it; exits with code 1 if anything is')
    .option('--json', 'print the problems as JSON')
    .action(async ({ json }: { json?: true }) => {
      if (await printDiagnosis(json === true)) process.exitCode = 1;
    });
}
