// Entry point of a thread that reads one bank statement file.
import { parentPort, workerData } from 'node:worker_threads';
import { StatementError } from '../../../domain/business/banking/bank-statement';
import { readStatements } from './statement-reader';
import type { StatementFile } from './statement-reader';
import { packStatement } from './packed-statement';
import type { StatementThreadReply } from './packed-statement';

function createReply(file: StatementFile): StatementThreadReply {
  try {
    return { statements: readStatements(file).map(packStatement) };
  } catch (error) {
    if (error instanceof StatementError) return { problem: error.message };
    throw error;
  }
}

parentPort?.postMessage(createReply(workerData as StatementFile));
