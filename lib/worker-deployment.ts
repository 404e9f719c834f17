import { isGrpcServiceError } from '@temporalio/client';
import type { Client } from '@temporalio/client';
import { temporal } from '@temporalio/proto';

/** Temporal's name of all workers of the service; a version of it is a build. */
export const DEPLOYMENT_NAME = 'vouch';

export interface WorkerVersion {
  buildId: string;
  /** `current` takes new tasks, `ramping` part of them, `draining` still has workflows, `drained` none; else `inactive`. */
  status: string;
}

const { WorkerDeploymentVersionStatus: Status } = temporal.api.enums.v1;

const formatStatus = (status: temporal.api.enums.v1.WorkerDeploymentVersionStatus | null | undefined): string =>
  (Status[status ?? 0] ?? 'inactive').replace('WORKER_DEPLOYMENT_VERSION_STATUS_', '').toLowerCase();

const NOT_FOUND_STATUS = 5;

/** The versions of the workers that have connected, newest first; none before the first worker with a build id. */
export async function listWorkerVersions({ workflowService }: Client, namespace: string): Promise<WorkerVersion[]> {
  const described = await workflowService
    .describeWorkerDeployment({ namespace, deploymentName: DEPLOYMENT_NAME })
    .catch((error: unknown) => {
      if (isGrpcServiceError(error) && Number(error.code) === NOT_FOUND_STATUS) return null;
      throw error;
    });
  return (described?.workerDeploymentInfo?.versionSummaries ?? []).map(({ deploymentVersion, status }) => ({
    buildId: deploymentVersion?.buildId ?? '',
    status: formatStatus(status),
  }));
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
