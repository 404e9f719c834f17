/**
 * Runs a command of this folder: `npm start` runs `start.mjs`. An installed Node that gets no more security fixes only
 * starts the command, which then runs on one that does.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { checkNodeVersion, findNode } from './node-version.mjs';
import { createProgress, printFailure } from './progress.mjs';

/** Commands that install what is missing. The others must not wait for a registry, nor need one. */
const INSTALLING = ['start', 'test', 'dev'];

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

async function main() {
  checkNodeVersion();
  const [name, ...args] = process.argv.slice(2);
  const script = fileURLToPath(new URL(`${name}.mjs`, import.meta.url));
  // Progress goes to stderr: the output of a command may be JSON.
  const progress = createProgress(console.error);
  const node = await findNode({ progress, fetchMissing: INSTALLING.includes(name) });
  if (node !== process.execPath) {
    if (INSTALLING.includes(name)) progress.say(`running on ${node} instead of Node ${process.versions.node}`);
    return runOn(node, [script, ...args]);
  }
  process.argv = [process.execPath, script, ...args];
  await import(pathToFileURL(script).href);
}

/** Runs a script on another Node, which what it starts finds on PATH, and ends as it ends. */
async function runOn(node, args) {
  const PATH = [path.dirname(node), process.env.PATH].filter(Boolean).join(path.delimiter);
  const child = spawn(node, [...process.execArgv, ...args], { stdio: 'inherit', env: { ...process.env, PATH } });
  for (const signal of SIGNALS) process.on(signal, () => child.kill(signal));
  const [code, signal] = await once(child, 'exit');
  if (signal === null) return void (process.exitCode = code);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}

await main().catch(printFailure);
