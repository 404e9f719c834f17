import { loadConfig } from '../../lib/config';
import { countEntries, readJournalPage, streamEntries } from '../../services/business/accounting/journal';
import { readJournal } from '../../services/business/accounting/journal-context';
import type { JournalCompany } from '../../services/business/accounting/journal-context';
import { getOrCreateCompany } from '../../services/business/settings/company';
import { closePlatform, createPlatform } from '../../services/platform/bootstrap';
import { getServiceEnvironment } from '../../scripts/demo/running-service';
import { readLoadAverage } from '../process-meters';
import { report, roundTo } from '../report';
import { ensureInvoices } from './seed/invoice-organisations';

const INVOICES = Number(process.env['BENCH_INVOICES'] ?? 100_000);
const ALL_DAYS = { from: '1900-01-01', to: '2999-12-31' };
const PAGE_SIZE = 20;

async function time<T>(work: () => Promise<T>): Promise<{ result: T; milliseconds: number }> {
  const start = performance.now();
  const result = await work();
  return { result, milliseconds: performance.now() - start };
}

/** Time of pages and of deriving all entries of a company. */
async function measureJournal(company: JournalCompany): Promise<Record<string, number>> {
  const counted = await time(() => readJournal(company, (context) => countEntries(context, ALL_DAYS)));
  const total = counted.result.reduce((sum, { count }) => sum + count, 0);
  const readPage = (page: number) =>
    time(() => readJournal(company, (context) => readJournalPage(context, ALL_DAYS, { page, pageSize: PAGE_SIZE })));
  const first = await readPage(1);
  const last = await readPage(Math.ceil(total / PAGE_SIZE));
  const derived = await time(() =>
    readJournal(company, async (context) => {
      let entries = 0;
      for await (const window of streamEntries(context, ALL_DAYS)) entries += window.length;
      return entries;
    }),
  );
  return {
    entries: total,
    countMs: roundTo(counted.milliseconds, 0),
    firstPageMs: roundTo(first.milliseconds, 0),
    lastPageMs: roundTo(last.milliseconds, 0),
    entriesPerSecond: roundTo((derived.result / derived.milliseconds) * 1000, 0),
    microsecondsPerEntry: roundTo((derived.milliseconds / derived.result) * 1000, 1),
  };
}

/** Measures the derivation of the journal from invoices. */
export async function benchJournal(): Promise<void> {
  const config = loadConfig(getServiceEnvironment());
  const platform = await createPlatform({ ...config, LOG_LEVEL: 'error' }, { name: 'bench', watch: false });
  try {
    const organisationId = await ensureInvoices(platform, INVOICES);
    const { timeZone, baseCurrencyCode } = await getOrCreateCompany(platform, organisationId);
    const figures = await measureJournal({ organisationId, timeZone, baseCurrencyCode });
    report('journal', { invoices: INVOICES, ...figures, load: readLoadAverage() });
  } finally {
    await closePlatform(platform);
  }
}
