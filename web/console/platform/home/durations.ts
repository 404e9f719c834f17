import i18next from 'i18next';
import { formatNumber } from '../../../shared/format';

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** A duration in its largest fitting unit, such as `38 sec` or `3.5 hr`; a dash without one. */
export function formatDuration(seconds: number | null): string {
  if (seconds === null) return '–';
  const [unit, size] = UNITS.find(([, each]) => seconds >= each) ?? (['second', 1] as const);
  const value = seconds / size;
  return formatNumber(value, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: value < 10 ? 1 : 0 });
}

/** A calendar day for the axis of a chart, such as `Nov 2`. */
export const formatAxisDay = (day: string): string =>
  new Intl.DateTimeFormat(i18next.language, { month: 'short', day: 'numeric', timeZone: 'UTC' }).format(new Date(day));
