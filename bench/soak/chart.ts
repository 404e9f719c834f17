import type { Series } from './trend';

const WIDTH = 900;
const PANEL_HEIGHT = 260;
const MARGIN = { top: 34, right: 220, bottom: 30, left: 60 };
/** Distinguishable by people who cannot tell red from green (Okabe and Ito, 2008). */
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#000000'];

/** The smallest of 1, 2 or 5 times a power of ten that is not less than the value. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1)));
  return ([1, 2, 5, 10].find((factor) => factor * power >= value) ?? 10) * power;
}

function drawPanel(title: string, series: readonly Series[], minutes: number, top: number): string {
  const width = WIDTH - MARGIN.left - MARGIN.right;
  const height = PANEL_HEIGHT - MARGIN.top - MARGIN.bottom;
  const highest = roundUp(Math.max(...series.flatMap(({ points }) => points.map(([, value]) => value))));
  const x = (minute: number): string => (MARGIN.left + (minute / minutes) * width).toFixed(1);
  const y = (value: number): string => (top + MARGIN.top + height - (value / highest) * height).toFixed(1);
  const grid = [0, 0.25, 0.5, 0.75, 1].flatMap((part) => [
    `<line x1="${x(0)}" x2="${x(minutes)}" y1="${y(part * highest)}" y2="${y(part * highest)}" stroke="#ddd"/>`,
    `<text x="${MARGIN.left - 6}" y="${y(part * highest)}" text-anchor="end" dy="4">${part * highest}</text>`,
    `<text x="${x(part * minutes)}" y="${top + PANEL_HEIGHT - 10}" text-anchor="middle">${Math.round(part * minutes)} min</text>`,
  ]);
  const lines = series.flatMap(({ name, points }, index) => {
    const colour = COLOURS[index % COLOURS.length] ?? '#000';
    const path = points.map(([minute, value]) => `${x(minute)},${y(value)}`).join(' ');
    const labelTop = top + MARGIN.top + 14 + index * 18;
    const left = WIDTH - MARGIN.right + 12;
    return [
      `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="1.6"/>`,
      `<rect x="${left}" y="${labelTop - 9}" width="12" height="4" fill="${colour}"/>`,
      `<text x="${left + 18}" y="${labelTop - 3}">${name}</text>`,
    ];
  });
  const heading = `<text x="${MARGIN.left}" y="${top + 20}" font-weight="bold">${title}</text>`;
  return [heading, ...grid, ...lines].join('\n');
}

/** Draws the series as an SVG, one panel below the other. */
export function drawChart(series: readonly Series[]): string {
  const panels = [...new Set(series.map(({ panel }) => panel))];
  const minutes = Math.max(1, ...series.flatMap(({ points }) => points.map(([minute]) => minute)));
  const height = panels.length * PANEL_HEIGHT;
  const drawn = panels.map((panel, index) =>
    drawPanel(
      panel,
      series.filter((each) => each.panel === panel && each.points.length > 0),
      minutes,
      index * PANEL_HEIGHT,
    ),
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="12">`,
    `<rect width="${WIDTH}" height="${height}" fill="#fff"/>`,
    ...drawn,
    '</svg>\n',
  ].join('\n');
}
