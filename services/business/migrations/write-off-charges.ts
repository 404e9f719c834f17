import type { ClientSession } from 'mongoose';
import { addDays } from '../../../domain/business/calendar';
import { postChargeCorrection } from '../../../domain/business/accounting/deduction-postings';
import { getCurrencyDecimals } from '../../../domain/business/currencies';
import { Posting } from '../../../models/business/documents/posting';
import type { PostingRecord } from '../../../models/business/documents/posting';
import { Deduction } from '../../../models/business/payments/deduction';
import type { DeductionRecord } from '../../../models/business/payments/deduction';
import { Company } from '../../../models/business/settings/company';
import { findChartOn, getLatestChart, readAccountingSettings } from '../accounting/accounting-settings';
import { toDeductionFacts } from '../accounting/deduction-entries';
import { convertRows } from '../../platform/migrations/batches';
import type { Migration } from '../../platform/migrations/migration';

/**
 * The last locked day of an organisation. Writes its posting record, so that a lock of the period at the same time
 * conflicts.
 */
async function readLockedDay(organisationId: string, session: ClientSession): Promise<string | null> {
  const posting = await Posting.findByIdAndUpdate(organisationId, { $inc: { version: 1 } }, { session }).lean<
    Pick<PostingRecord, 'lockedThrough'>
  >();
  return posting?.lockedThrough ?? null;
}

/** Finds out which write-offs reduce, by the rules of today, tax for which the company is liable. */
async function createChargeTest(
  organisationId: string,
  session: ClientSession,
): Promise<(record: DeductionRecord) => boolean> {
  const company = await Company.findById(organisationId, { baseCurrencyCode: 1 })
    .session(session)
    .orFail()
    .lean<{ baseCurrencyCode: string }>();
  const settings = await readAccountingSettings(organisationId);
  const decimals = getCurrencyDecimals(company.baseCurrencyCode);
  return (record) => {
    const chart = findChartOn(settings, record.date) ?? getLatestChart(settings);
    return postChargeCorrection(chart, toDeductionFacts(record, decimals), record.date) !== null;
  };
}

/** @returns the number of write-offs of an organisation that are corrected on a later day than their own */
async function convertWriteOffs(
  organisationId: string,
  records: readonly DeductionRecord[],
  session: ClientSession,
): Promise<number> {
  const lockedThrough = await readLockedDay(organisationId, session);
  if (lockedThrough === null) return 0;
  const locked = records.filter(({ date }) => date <= lockedThrough);
  const hasCharges = await createChargeTest(organisationId, session);
  const corrected = locked.filter(hasCharges);
  const isReversed = ({ reversedOn }: DeductionRecord): boolean => reversedOn !== null && reversedOn <= lockedThrough;
  const mark = async (found: readonly DeductionRecord[], chargesCorrectedOn: string | null): Promise<void> =>
    void (await Deduction.updateMany(
      { _id: { $in: found.map(({ _id }) => _id) } },
      { $set: { chargesCorrectedOn } },
      { session },
    ));
  await mark(corrected.filter(isReversed), null);
  await mark(
    corrected.filter((record) => !isReversed(record)),
    addDays(lockedThrough, 1),
  );
  return corrected.length;
}

/**
 * Earlier versions did not reduce the tax for which the company is liable as the buyer by write-offs of bills. In a period
 * that is locked the entry stays as it was, and the first open day has the correction.
 */
export const writeOffCharges: Migration = {
  version: 11,
  name: 'write-off-charges',
  summary: 'corrects write-offs of bills with reverse charge in locked periods on the first open day',
  run: (context) =>
    convertRows(context, {
      collection: 'deductions',
      filter: {
        side: 'payable',
        kind: 'write_off',
        'taxes.0': { $exists: true },
        chargesCorrectedOn: { $exists: false },
      },
      async convert(rows, session) {
        const records = await Deduction.find({ _id: { $in: rows.map(({ _id }) => _id) } })
          .session(session)
          .lean<DeductionRecord[]>();
        let converted = 0;
        for (const organisationId of new Set(records.map((record) => record.organisationId))) {
          const own = records.filter((record) => record.organisationId === organisationId);
          converted += await convertWriteOffs(organisationId, own, session);
        }
        return converted;
      },
    }),
};
