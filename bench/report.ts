/** The value below which a share (0–1) of the values lies; 0 for no values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? 0;
}

/** @param digits decimals that are kept */
export const roundTo = (value: number, digits = 4): number => Number(value.toFixed(digits));

/** Prints the figures as one line of JSON and as a table of name and value. */
export function report(name: string, figures: Record<string, number | string>): void {
  console.log(JSON.stringify({ bench: name, ...figures }));
  const width = Math.max(...Object.keys(figures).map((key) => key.length));
  for (const [key, value] of Object.entries(figures)) console.log(`  ${key.padEnd(width)}  ${value}`);
}
