/** The first day of the fiscal year of a day. @param startMonth month in which fiscal years start, 1 to 12 */
export function getFiscalYearStart(date: string, startMonth: number): string {
  const [year, month] = [Number(date.slice(0, 4)), Number(date.slice(5, 7))];
  return `${month < startMonth ? year - 1 : year}-${String(startMonth).padStart(2, '0')}-01`;
}
