import { isGrpcServiceError } from '@temporalio/client';
import type { Client } from '@temporalio/client';
import { temporal } from '@temporalio/proto';

/** Temporal's name of all workers of the service; a version of it is a build. */
export const DEPLOYMENT_NAME = 'vouch';

export interface WorkerVersion {
  /** Null: workers without a build id. */
  buildId: string | null;
  /** `current` takes new tasks, `ramping` part of them, `draining` still has workflows, `drained` none; else `inactive`. */
  status: string;
  /** Share of the new workflows that it is given. */
  percentage: number;
}

const { WorkerDeploymentVersionStatus: Status } = temporal.api.enums.v1;

const formatStatus = (status: temporal.api.enums.v1.WorkerDeploymentVersionStatus | null | undefined): string =>
  (Status[status ?? 0] ?? 'inactive').replace('WORKER_DEPLOYMENT_VERSION_STATUS_', '').toLowerCase();

const NOT_FOUND_STATUS = 5;

/** Temporal returns numbers of 32 bits, which are exact to seven digits. */
const roundPercentage = (percentage: number): number => Number(percentage.toPrecision(7));

/**
 * The versions of a deployment with the share that each is given. Those of workers without a build id are not known to
 * Temporal as a version, and come first while they are given something.
 * @param info null before the first worker with a build id has connected
 */
export function toWorkerVersions(info: temporal.api.deployment.v1.IWorkerDeploymentInfo | null): WorkerVersion[] {
  if (info === null) return [];
  const { currentDeploymentVersion, rampingDeploymentVersion, rampingVersionPercentage } = info.routingConfig ?? {};
  const ramping = roundPercentage(rampingVersionPercentage ?? 0);
  const shares = new Map<string | null, { status: string; percentage: number }>([
    [currentDeploymentVersion?.buildId ?? null, { status: 'current', percentage: roundPercentage(100 - ramping) }],
  ]);
  if (ramping > 0) shares.set(rampingDeploymentVersion?.buildId ?? null, { status: 'ramping', percentage: ramping });
  const versions = (info.versionSummaries ?? []).map(({ deploymentVersion, status }) => {
    const buildId = deploymentVersion?.buildId ?? '';
    return { buildId, status: formatStatus(status), percentage: shares.get(buildId)?.percentage ?? 0 };
  });
  const unversioned = shares.get(null);
  return unversioned === undefined ? versions : [{ buildId: null, ...unversioned }, ...versions];
}

/** The versions of the workers that have connected, newest first; none before the first worker with a build id. */
export async function listWorkerVersions({ workflowService }: Client, namespace: string): Promise<WorkerVersion[]> {
  const described = await workflowService
    .describeWorkerDeployment({ namespace, deploymentName: DEPLOYMENT_NAME })
    .catch((error: unknown) => {
      if (isGrpcServiceError(error) && Number(error.code) === NOT_FOUND_STATUS) return null;
      throw error;
    });
  return toWorkerVersions(described?.workerDeploymentInfo ?? null);
}

/**
 * Directs tasks to the workers of a build; those that run finish where they began.
 * @param buildId null for workers without a build id
 * @param percentage share of the workflows; 100 makes it the current version
 * @throws ServiceError if no worker of the build is connected, or if it lacks a task queue of the current version
 */
export async function promoteWorkers(
  { workflowService }: Client,
  namespace: string,
  { buildId, percentage }: { buildId: string | null; percentage: number },
): Promise<void> {
  const target = { namespace, deploymentName: DEPLOYMENT_NAME, buildId: buildId ?? '' };
  if (percentage >= 100) await workflowService.setWorkerDeploymentCurrentVersion(target);
  else await workflowService.setWorkerDeploymentRampingVersion({ ...target, percentage });
}
