/**
 * `npm test -- static --only audit`: compares the known vulnerabilities of the locked packages (`npm audit`) with the
 * reviewed list in audit-exceptions.json.
 */
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from '../stack/home.mjs';

const EXCEPTIONS = path.join(root, 'scripts', 'checks', 'audit-exceptions.json');
const TIMEOUT_MS = 60_000;
const MAX_EXCEPTION_DAYS = 180;
const DAY_MS = 86_400_000;

/** @typedef {{id: string, package: string, reason: string, expires: string}} Exception a reviewed advisory */

/** What is wrong with the list itself, whatever npm reports. @param {Exception[]} exceptions @param {Date} now */
export function checkExceptions(exceptions, now) {
  return exceptions.flatMap(({ id, package: name, reason, expires }) => {
    const title = `exception ${id} for ${name}`;
    const end = Date.parse(expires);
    if (!/^GHSA(-[23456789cfghjmpqrvwx]{4}){3}$/.test(id))
      return [`${title}: the id must be that of an advisory (GHSA-…)`];
    if (typeof reason !== 'string' || reason.length < 20) return [`${title}: says no reason`];
    if (!/^\d{4}-\d\d-\d\d$/.test(expires) || Number.isNaN(end))
      return [`${title}: expires must be a date (YYYY-MM-DD)`];
    if (end <= now.getTime()) return [`${title}: expired on ${expires}; review it again, or update the package`];
    if (end > now.getTime() + MAX_EXCEPTION_DAYS * DAY_MS)
      return [`${title}: expires later than in ${MAX_EXCEPTION_DAYS} days`];
    return [];
  });
}

/** The advisories in a report of `npm audit --json`, each with the packages that have it. */
export function listAdvisories(report) {
  const found = new Map();
  for (const { via } of Object.values(report.vulnerabilities)) {
    for (const advisory of via.filter((each) => typeof each === 'object')) {
      const id = advisory.url.slice(advisory.url.lastIndexOf('/') + 1);
      found.set(`${id} ${advisory.name}`, {
        id,
        package: advisory.name,
        severity: advisory.severity,
        title: advisory.title,
      });
    }
  }
  return [...found.values()];
}

/** Advisories without a review, and exceptions that no longer match one. */
export function compareAdvisories(advisories, exceptions) {
  const matches = (one, other) => one.id === other.id && one.package === other.package;
  return [
    ...advisories
      .filter((advisory) => !exceptions.some((exception) => matches(advisory, exception)))
      .map((each) => `${each.package}: ${each.title} (${each.severity}, ${each.id})`),
    ...exceptions
      .filter((exception) => !advisories.some((advisory) => matches(advisory, exception)))
      .map((each) => `exception ${each.id} for ${each.package}: no locked package has this advisory; remove it`),
  ];
}

/** The report of `npm audit`, or null if the registry does not answer (a mirror may not offer advisories). */
function readAudit() {
  const { stdout } = spawnSync('npm', ['audit', '--json', '--package-lock-only', '--audit=true'], {
    cwd: root,
    encoding: 'utf8',
    timeout: TIMEOUT_MS,
    maxBuffer: 64 << 20,
  });
  try {
    const report = JSON.parse(stdout);
    return report.vulnerabilities === undefined ? null : report;
  } catch {
    return null;
  }
}

async function main() {
  const exceptions = JSON.parse(await readFile(EXCEPTIONS, 'utf8'));
  const problems = checkExceptions(exceptions, new Date());
  const report = readAudit();
  if (report !== null) problems.push(...compareAdvisories(listAdvisories(report), exceptions));
  if (problems.length > 0) {
    console.error(problems.join('\n'));
    process.exitCode = 1;
  } else if (report === null) console.log('skipped: the npm registry does not answer `npm audit`');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
