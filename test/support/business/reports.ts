import { getData } from './client';
import type { BusinessClient } from './client';

/**
 * Percentage, net amount and tax of each row of the VAT report, without rows that add up to nothing.
 * @param from `YYYY-MM-DD`. @default all days
 * @param to `YYYY-MM-DD`. @default `from`
 */
export async function readVat(client: BusinessClient, from?: string, to = from): Promise<number[][]> {
  const days = from === undefined ? '' : `dateFrom=${from}&dateTo=${to ?? from}&`;
  const [period] = getData(await client.get(`/api/reports/vat?${days}period=all`))['periods'] as {
    rows: { percent: number; net: number; tax: number }[];
  }[];
  return (period?.rows ?? [])
    .map(({ percent, net, tax }) => [percent, net, tax])
    .filter(([, net, tax]) => net !== 0 || tax !== 0);
}

/** What the days changed of each account of the trial balance, by number; accounts without a change are left out. */
export async function readBalances(
  client: BusinessClient,
  dateFrom: string,
  dateTo: string,
): Promise<Record<string, number>> {
  const report = getData(await client.get(`/api/reports/trial-balance?dateFrom=${dateFrom}&dateTo=${dateTo}`));
  const accounts = report['accounts'] as { number: string; debit: number; credit: number }[];
  const balances = accounts.map(({ number, debit, credit }): [string, number] => [
    number,
    Math.round((debit - credit) * 100) / 100,
  ]);
  return Object.fromEntries(balances.filter(([, balance]) => balance !== 0));
}

/** Expects that the records of the company agree. */
export async function expectInvariants(client: BusinessClient): Promise<void> {
  expect(getData(await client.post('/api/admin/invariants', undefined))).toMatchObject({ violations: 0 });
}
