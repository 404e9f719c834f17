/** Roles in the order in which they are stopped: users of an engine before the engine, so that they can drain. */
const STOP_ORDER = [/^api$/, /^worker/, /^temporal$/, /^s3$/, /^mongod$/];

/** How long a process of each role may take to stop: a worker as long as its longest activity attempt. */
const GRACE_SECONDS = { api: 35, worker: 45, temporal: 20, s3: 10, mongod: 30 };

/**
 * Splits processes into groups that are stopped together, in stop order.
 * @template {{role: string}} T
 * @param {T[]} processes
 * @returns {T[][]}
 */
export function groupByStopOrder(processes) {
  return STOP_ORDER.map((role) => processes.filter((each) => role.test(each.role)));
}

/** Seconds between SIGTERM and SIGKILL for a process of this role. */
export function graceSeconds(role) {
  return GRACE_SECONDS[role.replace(/-.*/, '')] ?? 30;
}
