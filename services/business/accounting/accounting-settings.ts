import { addDays } from '../../../domain/business/calendar';
import { ACCOUNT_PURPOSE_NAMES } from '../../../domain/business/accounting/accounts';
import type {
  Account,
  AccountPurpose,
  Chart,
  ChartPreset,
  TaxAccounts,
} from '../../../domain/business/accounting/accounts';
import { PRESET_CHARTS } from '../../../domain/business/accounting/charts';
import { TAX_CATEGORIES } from '../../../domain/business/settings/tax-rates';
import { invalidRequestError } from '../../../domain/errors';
import type { FieldProblem } from '../../../domain/errors';
import { AccountingSettings } from '../../../models/business/accounting/accounting-settings';
import type { AccountingSettingsRecord, ChartVersion } from '../../../models/business/accounting/accounting-settings';
import { Posting } from '../../../models/business/documents/posting';
import type { PostingRecord } from '../../../models/business/documents/posting';
import type { Platform } from '../../platform/platform';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import type { BusinessCaller } from '../access/caller';
import { omitUndefined } from '../records/records';
import { requireVersion } from '../../platform/transactions/versions';

/** Settings of companies that have changed none. */
const buildDefaults = (organisationId: string): AccountingSettingsRecord => ({
  _id: organisationId,
  fiscalYearStartMonth: 1,
  datevAccountLength: 4,
  datevConsultantNumber: null,
  datevClientNumber: null,
  charts: [{ validFrom: null, preset: 'generic', ...PRESET_CHARTS.generic }],
  version: 1,
  createdAt: new Date(0),
  updatedAt: new Date(0),
});

/** Settings that were stored before a purpose existed have the account of their preset for it. */
const completeChart = (chart: ChartVersion): ChartVersion => ({
  ...chart,
  accounts: { ...PRESET_CHARTS[chart.preset].accounts, ...chart.accounts },
});

/** The settings of an organisation, or the defaults. */
export async function readAccountingSettings(
  organisationId: string,
  unit?: UnitOfWork,
): Promise<AccountingSettingsRecord> {
  const stored = await AccountingSettings.findById(organisationId)
    .session(unit?.mongoSession ?? null)
    .lean<AccountingSettingsRecord>();
  if (stored === null) return buildDefaults(organisationId);
  return { ...stored, charts: stored.charts.map(completeChart) };
}

/** The chart that the settings have from the latest change on. */
export function getLatestChart({ charts }: AccountingSettingsRecord): ChartVersion {
  const latest = charts.at(-1);
  if (latest === undefined) throw new Error('accounting settings have no chart');
  return latest;
}

/** Finds the chart of a day. */
export const findChartOn = ({ charts }: AccountingSettingsRecord, date: string): ChartVersion | undefined =>
  charts.findLast(({ validFrom }) => validFrom === null || validFrom <= date);

/** The fields that a client can set; undefined leaves a field as it is. */
export interface AccountingSettingsInput {
  preset?: ChartPreset | undefined;
  accounts?: ({ purpose: AccountPurpose } & Account)[] | undefined;
  taxes?: TaxAccounts[] | undefined;
  fiscalYearStartMonth?: number | undefined;
  datevAccountLength?: number | undefined;
  datevConsultantNumber?: number | null | undefined;
  datevClientNumber?: number | null | undefined;
}

/** The problems of a chart: missing tax categories, and one tax that is named twice. */
function findTaxProblems(taxes: readonly TaxAccounts[]): FieldProblem[] {
  const problems: FieldProblem[] = [];
  taxes.forEach(({ category, percent }, index) => {
    const first = taxes.findIndex((other) => other.category === category && other.percent === percent);
    if (first !== index) problems.push({ field: `taxes[${index}]`, problem: 'repeats a category and percentage' });
  });
  const missing = TAX_CATEGORIES.filter(
    (category) => !taxes.some((tax) => tax.category === category && tax.percent === null),
  );
  if (missing.length > 0)
    problems.push({
      field: 'taxes',
      problem: `must have accounts for every percentage (percent null) of the categories ${missing.join(', ')}`,
    });
  return problems;
}

function applyChart(current: ChartVersion, input: AccountingSettingsInput): Chart & { preset: ChartPreset } {
  const preset = input.preset ?? current.preset;
  const start: Chart = preset === current.preset ? current : PRESET_CHARTS[preset];
  const accounts = { ...start.accounts };
  for (const { purpose, number, name } of input.accounts ?? []) accounts[purpose] = { number, name };
  const taxes = input.taxes ?? start.taxes;
  const problems = findTaxProblems(taxes);
  if (problems.length > 0) throw invalidRequestError(problems);
  return { preset, accounts, taxes };
}

/**
 * Reads the first day whose entries may still change, and writes the posting record, so that a lock of the period
 * conflicts.
 */
async function findFirstOpenDay(unit: UnitOfWork, organisationId: string): Promise<string | null> {
  const posting = await Posting.findOneAndUpdate(
    { _id: organisationId },
    { $inc: { chartVersion: 1 } },
    { session: unit.mongoSession, returnDocument: 'after' },
  ).lean<PostingRecord>();
  const lockedThrough = posting?.lockedThrough ?? null;
  return lockedThrough === null ? null : addDays(lockedThrough, 1);
}

/** The charts after a change that takes effect on `validFrom`. */
const replaceCharts = (charts: readonly ChartVersion[], changed: ChartVersion): ChartVersion[] => [
  ...charts.filter(
    ({ validFrom }) => changed.validFrom !== null && (validFrom === null || validFrom < changed.validFrom),
  ),
  changed,
];

/**
 * Changes the settings that are sent. A changed chart takes effect on the first day that is not locked, so that the
 * journal of locked days does not change.
 * @param ifMatch version that the client has read; undefined: any version
 * @throws AppError 400 naming every wrong field, 412
 */
export async function updateAccountingSettings(
  platform: Platform,
  caller: BusinessCaller,
  input: AccountingSettingsInput,
  ifMatch: number | undefined,
): Promise<AccountingSettingsRecord> {
  const { organisationId } = caller;
  return runTransaction(platform, async (unit) => {
    const current = await readAccountingSettings(organisationId, unit);
    requireVersion(current.version, ifMatch);
    const { preset, accounts, taxes, ...fields } = input;
    const hasChart = preset !== undefined || accounts !== undefined || taxes !== undefined;
    const charts = hasChart
      ? replaceCharts(current.charts, {
          ...applyChart(getLatestChart(current), input),
          validFrom: await findFirstOpenDay(unit, organisationId),
        })
      : current.charts;
    const now = platform.clock.now();
    const next: AccountingSettingsRecord = {
      ...current,
      ...omitUndefined(fields),
      charts,
      version: current.version + 1,
      createdAt: current.createdAt.getTime() === 0 ? now : current.createdAt,
      updatedAt: now,
    };
    await AccountingSettings.replaceOne({ _id: organisationId, version: current.version }, next, {
      session: unit.mongoSession,
      upsert: true,
    });
    const changed = Object.keys(omitUndefined(input));
    await unit.audit(caller, {
      actor: caller.id,
      action: 'accounting.updated',
      subject: 'accounting',
      fields: changed,
    });
    return next;
  });
}

/** The accounts of a chart by purpose, in a fixed order. */
export const listPurposeAccounts = ({ accounts }: Chart): ({ purpose: AccountPurpose } & Account)[] =>
  ACCOUNT_PURPOSE_NAMES.map((purpose) => ({ purpose, ...accounts[purpose] }));
