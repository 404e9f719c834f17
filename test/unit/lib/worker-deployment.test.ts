import { temporal } from '@temporalio/proto';
import { toWorkerVersions } from '../../../lib/worker-deployment';

const { WorkerDeploymentVersionStatus: Status } = temporal.api.enums.v1;
const buildVersion = (buildId: string) => ({ deploymentName: 'vouch', buildId });

/** Versions as Temporal describes them. */
const summarise = (statuses: Record<string, temporal.api.enums.v1.WorkerDeploymentVersionStatus>) =>
  Object.entries(statuses).map(([buildId, status]) => ({ deploymentVersion: buildVersion(buildId), status }));

test('a ramping build is listed with its percentage, and the current one with the rest', () => {
  const versionSummaries = summarise({
    v3: Status.WORKER_DEPLOYMENT_VERSION_STATUS_RAMPING,
    v2: Status.WORKER_DEPLOYMENT_VERSION_STATUS_CURRENT,
    v1: Status.WORKER_DEPLOYMENT_VERSION_STATUS_DRAINED,
  });
  const routingConfig = {
    currentDeploymentVersion: buildVersion('v2'),
    rampingDeploymentVersion: buildVersion('v3'),
    // As Temporal returns 33.3, a number of 32 bits.
    rampingVersionPercentage: Math.fround(33.3),
  };
  expect(toWorkerVersions({ versionSummaries, routingConfig })).toEqual([
    { buildId: 'v3', status: 'ramping', percentage: 33.3 },
    { buildId: 'v2', status: 'current', percentage: 66.7 },
    { buildId: 'v1', status: 'drained', percentage: 0 },
  ]);
});

test('workers without a build id are listed while they are given something', () => {
  const inactive = summarise({ v1: Status.WORKER_DEPLOYMENT_VERSION_STATUS_INACTIVE });
  expect(toWorkerVersions({ versionSummaries: inactive, routingConfig: {} })).toEqual([
    { buildId: null, status: 'current', percentage: 100 },
    { buildId: 'v1', status: 'inactive', percentage: 0 },
  ]);
  const current = summarise({ v1: Status.WORKER_DEPLOYMENT_VERSION_STATUS_CURRENT });
  const currentDeploymentVersion = buildVersion('v1');
  expect(
    toWorkerVersions({
      versionSummaries: current,
      routingConfig: { currentDeploymentVersion, rampingVersionPercentage: 10 },
    }),
  ).toEqual([
    { buildId: null, status: 'ramping', percentage: 10 },
    { buildId: 'v1', status: 'current', percentage: 90 },
  ]);
  expect(toWorkerVersions({ versionSummaries: current, routingConfig: { currentDeploymentVersion } })).toEqual([
    { buildId: 'v1', status: 'current', percentage: 100 },
  ]);
});

test('before the first worker with a build id nothing is listed', () => {
  expect(toWorkerVersions(null)).toEqual([]);
});
