import { CARRY_HEIGHT, paginate } from '../../../../activities/rendering/template/pagination';

const PAGE = { firstHeight: 260, nextHeight: 256 };
const measure = (rows: number[], ending: number) => ({ top: 80, head: 8, rows, ending });
const fill = (count: number, height = 6) => Array.from({ length: count }, () => height);

/** The height of each page of a document that begins new pages with these lines. */
function measurePages(measured: ReturnType<typeof measure>, starts: readonly number[]): number[] {
  const bounds = [0, ...starts, measured.rows.length];
  return bounds.slice(1).map((end, index) => {
    const rows = measured.rows.slice(bounds[index], end).reduce((total, height) => total + height, 0);
    const isLast = end === measured.rows.length;
    const above = index === 0 ? measured.top : CARRY_HEIGHT;
    return above + measured.head + rows + (isLast ? measured.ending : CARRY_HEIGHT);
  });
}

describe('the pages of a document', () => {
  test('are one if everything fits', () => {
    expect(paginate(measure(fill(10), 100), PAGE)).toEqual([]);
  });

  test('take lines with the totals if these do not fit on the page of the last line', () => {
    expect(paginate(measure(fill(18), 100), PAGE)).toEqual([16]);
  });

  test('are never too full, and the last one has a line, for any number of lines and any ending', () => {
    for (const ending of [20, 90, 150, 200])
      for (let count = 2; count <= 130; count += 1) {
        const measured = measure(
          fill(count).map((height, index) => height + (index % 7)),
          ending,
        );
        const starts = paginate(measured, PAGE);
        expect(starts).toEqual([...starts].sort((a, b) => a - b));
        expect(new Set(starts).size).toBe(starts.length);
        expect(starts.at(-1) ?? 0).toBeLessThan(count);
        const heights = measurePages(measured, starts);
        heights.forEach((height, index) =>
          expect(height).toBeLessThanOrEqual(index === 0 ? PAGE.firstHeight : PAGE.nextHeight),
        );
      }
  });

  test('end even if a row or the ending is higher than a page', () => {
    expect(paginate(measure([300, 6, 6], 50), PAGE)).toEqual([1]);
    expect(paginate(measure(fill(30), 400), PAGE)).toEqual([27]);
    expect(paginate(measure([6], 200), PAGE)).toEqual([]);
  });
});
