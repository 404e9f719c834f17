/** One line of the demonstration's table. */
export interface Line {
  step: string;
  outcome: string;
  milliseconds: number;
  look: string;
}

/** Runs steps, measures their duration and collects their outcomes. */
export class Report {
  readonly lines: Line[] = [];

  /** @param work returns its result, a short description of the outcome and, optionally, where to see it */
  async step<T>(name: string, work: () => Promise<{ result: T; outcome: string; look?: string }>): Promise<T> {
    const start = performance.now();
    const { result, outcome, look } = await work();
    this.lines.push({ step: name, outcome, milliseconds: Math.round(performance.now() - start), look: look ?? '' });
    return result;
  }

  /** The steps so far as a table of text, with durations in milliseconds. */
  table(): string {
    const rows = [
      ['step', 'outcome', 'time', 'where to look'],
      ...this.lines.map(({ step, outcome, milliseconds, look }) => [step, outcome, `${milliseconds} ms`, look]),
    ];
    const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
    const line = (row: string[]): string =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd();
    const [head, ...body] = rows.map(line);
    return [head, widths.map((width) => '─'.repeat(width)).join('  '), ...body].join('\n');
  }
}
