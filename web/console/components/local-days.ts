const CALENDAR_DAY = /^(\d{4})-(\d{2})-(\d{2})$/;

/** First moment, in the time zone of the browser, of the day that is `offset` days after `day` (YYYY-MM-DD). Other text, such as a time, is returned as it is. */
export const getDayStart = (day: string, offset = 0): string => {
  const [, year, month, date] = CALENDAR_DAY.exec(day) ?? [];
  if (year === undefined) return day;
  return new Date(Number(year), Number(month) - 1, Number(date) + offset).toISOString();
};
