import { resolve } from 'node:path';
import { benchFaceSearch } from './vision/face-search';
import { benchAmlThroughput } from './aml/throughput';
import { benchAmlListPairs } from './aml/list-pairs';
import { benchAmlPairs } from './aml/labelled-pairs';
import { benchAges } from './vision/ages';
import { benchExports } from './business/exports';
import { benchFaces } from './vision/faces';
import { benchGleifImport } from './identity/gleif-import';
import { benchInvoiceLists } from './business/invoice-lists';
import { benchInvoices } from './business/invoices';
import { benchLatency } from './latency';
import { benchLiveness } from './vision/liveness';
import { benchMrz } from './vision/mrz';
import { benchPdfHttp } from './business/pdf-http';
import { benchPdf } from './business/pdf';
import { benchRecapture } from './vision/recapture';
import type { BenchInput } from './report';
import { benchSessionLists } from './identity/session-lists';
import { benchSessions } from './identity/sessions';

/** Every benchmark: `npm run bench -- <name> [files] [--rows] [--models folder]`. */
const BENCHES: Record<string, (input: BenchInput) => Promise<void>> = {
  'face-search': benchFaceSearch,
  'aml-list-pairs': benchAmlListPairs,
  'aml-pairs': benchAmlPairs,
  'aml-throughput': benchAmlThroughput,
  ages: benchAges,
  exports: benchExports,
  faces: benchFaces,
  'gleif-import': benchGleifImport,
  'invoice-lists': benchInvoiceLists,
  invoices: benchInvoices,
  latency: benchLatency,
  liveness: benchLiveness,
  mrz: benchMrz,
  pdf: benchPdf,
  'pdf-http': benchPdfHttp,
  recapture: benchRecapture,
  'session-lists': benchSessionLists,
  sessions: benchSessions,
};

async function main([name = '', ...rest]: string[]): Promise<void> {
  const bench = BENCHES[name];
  if (bench === undefined) {
    throw new Error(
      `Usage: npm run bench -- <${Object.keys(BENCHES).join('|')}> [labels.csv or lists…] [--rows] [--models folder]`,
    );
  }
  const at = rest.indexOf('--models');
  const modelsDir = resolve(at < 0 ? '.vouch/models' : (rest[at + 1] ?? ''));
  const files = rest.filter((part, index) => !part.startsWith('--') && (at < 0 || index !== at + 1));
  await bench({ files, rows: rest.includes('--rows'), modelsDir });
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
