import { evaluate } from '../../support/evaluate';

/**
 * Restarts a process of a stack whose database lacks a migration of the current build.
 * @param migrate whether the stack can migrate its database
 */
const restart = (migrate: boolean): unknown =>
  evaluate(
    `import { createServer } from 'node:http';
     import { once } from 'node:events';
     import { restartService } from './scripts/stack/service.mjs';
     async function restart(mayMigrate) {
       const steps = [];
       let isMigrated = false;
       const server = createServer((request, response) =>
         response.end(JSON.stringify(isMigrated ? { ok: true } : { ok: false, checks: { schema: 'failed' } })));
       await once(server.listen(0, '127.0.0.1'), 'listening');
       const supervised = {
         restart: async () => void steps.push('restarted'),
         async ready(check) {
           if (!(await check())) throw new Error('not ready');
         },
       };
       const stack = { build: 'earlier', onChange: async () => void steps.push('recorded') };
       const migrate = async () => {
         isMigrated = true;
         steps.push('migrated');
       };
       const processes = [{ supervised, port: server.address().port }];
       const failure = await restartService(stack, processes, mayMigrate ? migrate : undefined).then(
         () => null,
         (error) => error.message,
       );
       server.close();
       return { steps, failure, isCurrent: stack.build !== 'earlier' };
     }`,
    `await restart(${migrate})`,
  );

test('a restart with a build that has a new migration migrates the database of a test stack', () => {
  expect(restart(true)).toEqual({ steps: ['restarted', 'migrated', 'recorded'], failure: null, isCurrent: true });
});

test('a restart without a way to migrate ends with a failure, and the stack does not count as current', () => {
  expect(restart(false)).toEqual({ steps: ['restarted'], failure: 'not ready', isCurrent: false });
});
