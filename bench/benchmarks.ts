import { benchAmlLabelledPairs } from './aml/labelled-pairs';
import { benchAmlListPairs } from './aml/list-pairs';
import { benchAmlThroughput } from './aml/throughput';
import type { Benchmark, BenchmarkArgument } from './benchmark';
import { benchCompare } from './compare/compare';
import { benchExports } from './business/exports';
import { benchInvoiceLists } from './business/invoice-lists';
import { benchInvoices } from './business/invoices';
import { benchJournal } from './business/journal';
import { benchPdf } from './business/pdf';
import { benchPdfHttp } from './business/pdf-http';
import { benchPdfWithArchive } from './business/pdf-with-archive';
import { benchStockValuation } from './business/stock-valuation';
import { benchGleifImport } from './identity/gleif-import';
import { benchSessionLists } from './identity/session-lists';
import { benchSessions } from './identity/sessions';
import { benchLatency } from './latency';
import { benchLatencyWithDocuments } from './platform/latency-with-documents';
import { benchDeliveries } from './platform/deliveries';
import { benchRequests } from './platform/requests';
import { benchSoak } from './soak/soak';
import { benchAges } from './vision/ages';
import { benchCaptures } from './vision/captures';
import { benchDocumentStages } from './vision/document-stages';
import { benchFaceSearch } from './vision/face-search/face-search';
import { benchFaces } from './vision/faces';
import { benchLiveness } from './vision/liveness';
import { benchMrz } from './vision/mrz';
import { benchRecapture } from './vision/recapture';
import { benchScripts } from './vision/scripts';
import { benchVisionProcesses } from './vision/vision-processes';
import { benchWeb } from './web/web';

const RUNNING_SERVICE = 'the running service (npm start)';
const UNLIMITED_SERVICE = 'the running service, started with RATE_LIMIT_BUSINESS_PER_MINUTE=1000000';
const OWN_IMAGES = 'images of your own, with a CSV file of their labels';
const LIST_FILES: BenchmarkArgument = {
  syntax: '<lists...>',
  description: 'watch list files in any format that can be imported',
};

const labelsArgument = (columns: string): BenchmarkArgument => ({
  syntax: '<labels.csv>',
  description: `CSV file next to the images, with the columns ${columns}`,
});

const PLATFORM: readonly Benchmark[] = [
  {
    name: 'latency',
    measures: 'Time from starting a workflow of one activity to its result, one workflow after another.',
    needs: RUNNING_SERVICE,
    duration: '10 seconds',
    run: benchLatency,
  },
  {
    name: 'latency-with-documents',
    measures: 'Time of reading a session without other requests, and while eight documents are processed.',
    needs: RUNNING_SERVICE,
    duration: '1 minute',
    run: benchLatencyWithDocuments,
  },
  {
    name: 'deliveries',
    measures: 'Webhook deliveries per second of a backlog to a receiver that answers at once, with processor time.',
    needs: UNLIMITED_SERVICE,
    duration: '1 minute',
    run: benchDeliveries,
  },
  {
    name: 'requests',
    measures: 'Processor time of API and database for requests that do little: what every request costs.',
    needs: UNLIMITED_SERVICE,
    duration: '1 minute',
    run: benchRequests,
  },
  {
    name: 'soak',
    measures:
      'Memory, open files and workflow histories of every process under a low mixed load: they must not grow after the first half.',
    needs: `${RUNNING_SERVICE}; without other load`,
    duration: 'the minutes given',
    arguments: [
      { syntax: '[minutes]', description: 'how long (default: 60)' },
      {
        syntax: '[rate]',
        description: 'factor of the rate; 1 is a session every 30 s, a sale every 10 s (default: 1)',
      },
      { syntax: '[folder]', description: 'folder for samples and chart (default: .vouch/soak)' },
    ],
    run: ([minutes = '60', rate = '1', folder = '.vouch/soak']) =>
      benchSoak({ minutes: Number(minutes), rate: Number(rate), folder }),
  },
];

const WEB: readonly Benchmark[] = [
  {
    name: 'web',
    measures:
      'Sizes of the web applications, time until they can be used with a quarter of the processor on slow 4G, and the first page of a long list of sessions.',
    needs: `${RUNNING_SERVICE} and its Chromium; writes the sessions into its database and removes them again`,
    duration: '20 minutes, most of it for the sessions',
    arguments: [{ syntax: '[sessions]', description: 'sessions in the list (default: 1000000)' }],
    run: ([sessions]) => benchWeb(sessions === undefined ? undefined : Number(sessions)),
  },
];

const IDENTITY: readonly Benchmark[] = [
  {
    name: 'sessions',
    measures:
      'Sessions per minute with document, liveness and face match over HTTP, 4 at once, and the shares of models, Temporal, MongoDB and API.',
    needs: RUNNING_SERVICE,
    duration: '2 minutes',
    arguments: [{ syntax: '[sessions]', description: 'number of sessions (default: 30)' }],
    run: ([sessions]) => benchSessions(sessions === undefined ? undefined : Number(sessions)),
  },
  {
    name: 'session-lists',
    measures: 'Response time of filtered and searched lists with exact totals, and of the statistics of sessions.',
    needs: `${RUNNING_SERVICE}; writes the sessions into its database and removes them again`,
    duration: '2 minutes per 100,000 sessions',
    arguments: [{ syntax: '[sessions]', description: 'number of sessions (default: 100000)' }],
    run: ([sessions]) => benchSessionLists(sessions === undefined ? undefined : Number(sessions)),
  },
  {
    name: 'gleif-import',
    measures: 'Import rate of a generated GLEIF level 1 file, and lookup time in it by name and LEI.',
    needs: `${RUNNING_SERVICE}; removes the golden copy in its database before and after`,
    duration: '11 minutes per million rows',
    arguments: [{ syntax: '[rows]', description: 'rows of the file (default: 1000000)' }],
    run: ([rows]) => benchGleifImport(rows === undefined ? undefined : Number(rows)),
  },
];

const BUSINESS: readonly Benchmark[] = [
  {
    name: 'invoices',
    measures:
      'Invoices issued over HTTP, three lines each: sequentially, then 4, 16 and 64 at once, and 16 with and without a webhook in turn.',
    needs: UNLIMITED_SERVICE,
    duration: '1 minute',
    run: benchInvoices,
  },
  {
    name: 'invoice-lists',
    measures: 'Response time of first, middle and last pages of a list of one million invoices.',
    needs: `${UNLIMITED_SERVICE}; keeps the invoices for the next run (BENCH_INVOICES sets their number)`,
    duration: '5 minutes, and 10 more on the first run',
    run: benchInvoiceLists,
  },
  {
    name: 'journal',
    measures: 'Entries of the journal derived per second, and time of its first and last page.',
    needs: `${RUNNING_SERVICE}; keeps the invoices for the next run (BENCH_INVOICES sets their number)`,
    duration: '1 minute, and 1 more on the first run',
    run: benchJournal,
  },
  {
    name: 'exports',
    measures: 'Rows per second of invoice exports as CSV, JSON and XLSX, and documents per second of a ZIP archive.',
    needs: `${UNLIMITED_SERVICE}; keeps the invoices for the next run`,
    duration: '3 minutes, and 10 more on the first run',
    arguments: [
      { syntax: '[rows]', description: 'invoices in the lists (default: 1000000)' },
      { syntax: '[documents]', description: 'documents in the archive (default: 3000)' },
    ],
    run: ([rows, documents]) =>
      benchExports({
        rows: rows === undefined ? undefined : Number(rows),
        documents: documents === undefined ? undefined : Number(documents),
      }),
  },
  {
    name: 'pdf',
    measures: 'Rendering time and throughput of invoices as plain PDF and as Factur-X, without API and storage.',
    needs: 'Chromium (CHROMIUM_PATH, or the one that npm start unpacks)',
    duration: '1 minute',
    run: benchPdf,
  },
  {
    name: 'pdf-http',
    measures: 'Download time of invoice PDFs over HTTP: rendered on demand, stored, and 16 at once.',
    needs: UNLIMITED_SERVICE,
    duration: '1 minute',
    run: benchPdfHttp,
  },
  {
    name: 'pdf-with-archive',
    measures:
      'Download time of single PDFs that are rendered on request, on an idle service and during a large archive.',
    needs: UNLIMITED_SERVICE,
    duration: '2 minutes',
    arguments: [{ syntax: '[documents]', description: 'documents in the archive (default: 6000)' }],
    run: ([documents]) => benchPdfWithArchive(documents === undefined ? undefined : Number(documents)),
  },
  {
    name: 'stock-valuation',
    measures: 'Response time of the value of stock now and at times in the past, over one million movements.',
    needs: `${UNLIMITED_SERVICE}; keeps the movements for the next run`,
    duration: '1 minute, and 2 more on the first run',
    run: benchStockValuation,
  },
];

const AML: readonly Benchmark[] = [
  {
    name: 'aml-pairs',
    measures: 'Precision and recall of name matching on labelled pairs of names.',
    needs: 'a CSV file of pairs of your own',
    duration: 'seconds',
    arguments: [{ syntax: '<pairs.csv>', description: 'CSV file with the columns schema, name1, name2, is_match' }],
    options: ['rows'],
    run: ([file = ''], { rows }) => benchAmlLabelledPairs(file, rows),
  },
  {
    name: 'aml-list-pairs',
    measures: 'Precision and recall of name matching on pairs generated from the entries of watch lists.',
    needs: 'watch list files',
    duration: '1 minute per list',
    arguments: [LIST_FILES],
    options: ['rows'],
    run: (files, { rows }) => benchAmlListPairs(files, rows),
  },
  {
    name: 'compare',
    measures:
      'This service and other software in one run: name matching with RapidFuzz and nomenklatura, documents with fastmrz and PassportEye, PDFs with Gotenberg. Writes JSON to bench/results.',
    needs:
      'for names watch list files, for documents images with labels, for PDFs a running Gotenberg and the running service (docs/how-to/compare-with-other-software.md)',
    duration: '1 minute per list, 3 seconds per image, 2 minutes for PDFs',
    arguments: [
      { syntax: '[lists...]', description: 'compare names: watch list files in any format that can be imported' },
    ],
    options: ['modelsDir', 'documents', 'gotenberg'],
    run: benchCompare,
  },
  {
    name: 'aml-throughput',
    measures: 'Screenings per second on one thread, their latency, and memory with the lists loaded.',
    needs: 'watch list files',
    duration: '20 seconds',
    arguments: [LIST_FILES],
    run: benchAmlThroughput,
  },
];

const VISION: readonly Benchmark[] = [
  {
    name: 'vision-processes',
    measures:
      'Sessions a minute of two vision processes against one, each with one inference thread, without the service.',
    needs: `${RUNNING_SERVICE} or CHROMIUM_PATH, to print the specimen`,
    duration: '1 minute',
    options: ['modelsDir'],
    run: (_args, options) => benchVisionProcesses(options),
  },
  {
    name: 'mrz',
    measures: 'Accuracy and time of reading machine-readable zones from images of documents.',
    needs: OWN_IMAGES,
    duration: '1.5 seconds per image',
    arguments: [labelsArgument('file, line1, line2, line3, printed_check_digits_valid (yes or no)')],
    options: ['rows', 'modelsDir'],
    run: ([labels = ''], options) => benchMrz(labels, options),
  },
  {
    name: 'faces',
    measures: 'Accuracy of face matching over every pair of labelled faces.',
    needs: OWN_IMAGES,
    duration: '0.1 seconds per image',
    arguments: [labelsArgument('file, identity')],
    options: ['rows', 'modelsDir'],
    run: ([labels = ''], options) => benchFaces(labels, options),
  },
  {
    name: 'ages',
    measures: 'Error of age estimation, overall and by age band.',
    needs: OWN_IMAGES,
    duration: '0.1 seconds per image',
    arguments: [labelsArgument('file, age (years)')],
    options: ['rows', 'modelsDir'],
    run: ([labels = ''], options) => benchAges(labels, options),
  },
  {
    name: 'captures',
    measures: 'False alarms of same_capture on photographs of one person; altered and rephotographed copies it misses.',
    needs: OWN_IMAGES,
    duration: '5 seconds per image on a busy machine',
    arguments: [labelsArgument('file, identity')],
    options: ['modelsDir'],
    run: ([labels = ''], options) => benchCaptures(labels, options),
  },
  {
    name: 'liveness',
    measures: 'Live faces and attacks accepted, reviewed and declined at the default thresholds.',
    needs: OWN_IMAGES,
    duration: '0.1 seconds per image',
    arguments: [labelsArgument('file, label (real or spoof)')],
    options: ['rows', 'modelsDir'],
    run: ([labels = ''], options) => benchLiveness(labels, options),
  },
  {
    name: 'document-stages',
    measures: 'Mean time and processor time of each stage of reading a document.',
    needs: OWN_IMAGES,
    duration: '1 second per image',
    arguments: [labelsArgument('file')],
    options: ['modelsDir'],
    run: ([labels = ''], options) => benchDocumentStages(labels, options),
  },
  {
    name: 'recapture',
    measures: 'False alarms on genuine images, and detection of simulated photographs of displays and prints.',
    needs: 'folders of genuine images of documents',
    duration: '1 minute per image of 900 pixels or wider',
    arguments: [{ syntax: '<folders...>', description: 'folders of images that are not recaptures' }],
    options: ['rows'],
    run: (folders, { rows }) => benchRecapture(folders, rows),
  },
  {
    name: 'scripts',
    measures: 'Character errors of both text recognisers on drawn pages in each script, and the detection of scripts.',
    needs: 'the packages for development',
    duration: '5 minutes on a busy machine',
    options: ['rows', 'modelsDir'],
    run: (_args, options) => benchScripts(options),
  },
  {
    name: 'face-search',
    measures:
      'Latency and exactness of face search among random faces: in memory, the first search in a new worker by phase, and over HTTP.',
    needs: 'nothing; the parts with stored faces run only if the service is running',
    duration: '3 minutes',
    arguments: [
      { syntax: '[faces]', description: 'faces in memory (default: 100000; 0 leaves this part out)' },
      { syntax: '[serviceFaces]', description: 'faces in the running service (default: 100000)' },
      { syntax: '[searches]', description: 'searches over HTTP of each kind (default: 100)' },
    ],
    run: ([faces, serviceFaces, searches]) =>
      benchFaceSearch({
        faces: faces === undefined ? undefined : Number(faces),
        serviceFaces: serviceFaces === undefined ? undefined : Number(serviceFaces),
        searches: searches === undefined ? undefined : Number(searches),
      }),
  },
];

/** Every benchmark, in the order they are listed. */
export const BENCHMARKS: readonly Benchmark[] = [...PLATFORM, ...WEB, ...IDENTITY, ...BUSINESS, ...AML, ...VISION];
