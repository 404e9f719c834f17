import path from 'node:path';
import { issueInvoice } from './business';
import { Client, readObject, readText } from './client';
import { archiveSessionWorkflow, createSessionWorkflow, leaveOpenSessions, verifyPerson } from './identity';
import type { OpenSessions } from './identity';
import { Report } from './report';
import { makeDemoImages, saveDemoImages } from './images';
import { getRunFile, readRunningService } from './running-service';
import type { RunningService } from './running-service';
import { WebhookReceiver } from './webhook-receiver';

async function demonstrate(run: RunningService, receiver: WebhookReceiver, report: Report): Promise<OpenSessions> {
  const folder = path.join(path.dirname(getRunFile()), 'demo');
  const images = await report.step('specimen passport and selfies', async () => {
    const result = await makeDemoImages();
    await saveDemoImages(result, folder);
    return { result, outcome: 'saved', look: path.join(folder, 'passport.jpg') };
  });
  const client = new Client(run.api, { authorization: `Bearer ${run.identityApiKey}` });
  const endpoint = await client.json('POST', '/v1/webhooks', {
    url: receiver.url,
    events: ['session.completed', 'session.declined', 'session.review'],
  });
  const sessionWorkflowId = await createSessionWorkflow(client);
  const demo = {
    sessionWorkflowId,
    client,
    report,
    receiver,
    secret: readText(endpoint, 'secret'),
    api: run.api,
    workflowLink: (id: string) =>
      run.temporalUi === undefined ? id : `${run.temporalUi}/namespaces/default/workflows/${id}`,
  };
  try {
    const same = await verifyPerson(demo, { label: 'same person', passport: images.passport, selfie: images.selfie });
    const other = await verifyPerson(demo, {
      label: 'another person',
      passport: images.passport,
      selfie: images.otherSelfie,
    });
    await issueInvoice({ api: run.api, admin: run.admin, report, folder });
    if (same !== 'approved')
      throw new Error(`The holder of the passport should be approved, but the status is ${same}.`);
    if (other !== 'declined') throw new Error(`Another person should be declined, but the status is ${other}.`);
    return await report.step('sessions to try', async () => {
      const person = { passport: images.passport, selfie: images.otherSelfie };
      const result = await leaveOpenSessions(client, person);
      return { result, outcome: 'one to capture, one to review', look: `${run.api}/console` };
    });
  } finally {
    await archiveSessionWorkflow(client, sessionWorkflowId);
    await client.json('DELETE', `/v1/webhooks/${readText(readObject(endpoint, 'webhook'), 'id')}`);
  }
}

/** How to try both applications within a minute. */
const describeOpenSessions = ({ api, admin }: RunningService, { reviewId, captureUrl }: OpenSessions): string =>
  [
    ['Capture', captureUrl ?? '', 'a person completes this session, best on a phone'],
    ['Review', `${api}/console/sessions/${reviewId}`, 'a reviewer decides this session'],
    ['Console', `${api}/console`, `sign in as ${admin.email} with ${admin.password}`],
  ]
    .filter(([, address]) => address !== '')
    .map(([name = '', address = '', hint = '']) => `${name.padEnd(8)} ${address}\n${' '.repeat(9)}${hint}`)
    .join('\n');

async function main(): Promise<void> {
  const run = readRunningService();
  const report = new Report();
  const receiver = await WebhookReceiver.listen(run.demoReceiverPort);
  let open: OpenSessions | null = null;
  try {
    open = await demonstrate(run, receiver, report);
  } finally {
    await receiver.close();
    console.log(`\n${report.table()}\n`);
    if (open !== null) console.log(`${describeOpenSessions(run, open)}\n`);
    console.log(`API ${run.api}   docs ${run.docs}   Temporal UI ${run.temporalUi ?? '(of your Temporal server)'}`);
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
