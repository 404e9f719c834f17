/** Roles in the order in which they end: what uses an engine before the engine, so that a drain finds it there. */
const END_ORDER = [/^api$/, /^worker/, /^temporal$/, /^s3$/, /^mongod$/];

/** How long a process of each kind may take to end: a worker as long as its longest attempt. */
const GRACE_SECONDS = { api: 35, worker: 45, temporal: 20, s3: 10, mongod: 30 };

/**
 * Splits processes into the groups that end together, first group first.
 * @template {{role: string}} T
 * @param {T[]} processes
 * @returns {T[][]}
 */
export function inEndOrder(processes) {
  return END_ORDER.map((role) => processes.filter((each) => role.test(each.role)));
}

/** Seconds that a process of this role gets between SIGTERM and SIGKILL. */
export function graceSeconds(role) {
  return GRACE_SECONDS[role.replace(/-.*/, '')] ?? 30;
}
