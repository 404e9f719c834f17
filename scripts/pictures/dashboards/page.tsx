/** The page that draws a dashboard. `draw.ts` bundles it, opens it in Chromium and photographs it. */
import { createRoot } from 'react-dom/client';
import { CartesianGrid, Line, LineChart, XAxis, YAxis } from 'recharts';
import type { DashboardPicture, PanelPicture } from './panel';

declare global {
  interface Window {
    drawDashboard(dashboard: DashboardPicture): void;
  }
}

const COLUMN = 64;
const ROW = 31;
const GAP = 8;
const LEGEND_HEIGHT = 46;
/** Distinguishable by people who cannot tell red from green (Okabe and Ito, 2008). */
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#000000', '#8a8a8a'];

const getColour = (index: number): string => COLOURS[index % COLOURS.length] ?? '#000000';

function formatScaled(value: number, factor: number, units: readonly string[]): string {
  let scaled = value;
  let index = 0;
  while (scaled >= factor && index < units.length - 1) {
    scaled /= factor;
    index += 1;
  }
  return `${Number(scaled.toPrecision(3))}${units[index] ?? ''}`;
}

function formatSeconds(value: number): string {
  if (value === 0) return '0 s';
  if (value < 1) return `${Number((value * 1000).toPrecision(3))} ms`;
  if (value < 120) return `${Number(value.toPrecision(3))} s`;
  return value < 7200 ? `${Number((value / 60).toPrecision(3))} min` : `${Number((value / 3600).toPrecision(3))} h`;
}

/** A value in a unit of Grafana. */
function formatValue(value: number, unit: string): string {
  if (unit === 's') return formatSeconds(value);
  if (unit === 'bytes') return formatScaled(value, 1024, [' B', ' KiB', ' MiB', ' GiB']);
  if (unit === 'percentunit') return `${Number((value * 100).toPrecision(3))} %`;
  const suffix = unit === 'reqps' || unit === 'ops' ? '/s' : '';
  return `${formatScaled(value, 1000, ['', ' k', ' M'])}${suffix}`;
}

const formatTime = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.round(seconds % 60)).padStart(2, '0')}`;

function Stat({ panel }: { panel: PanelPicture }) {
  return (
    <div style={{ display: 'flex', flexDirection: 'column', gap: 6, padding: '8px 4px' }}>
      {panel.series.map(({ name, points }) => (
        <div key={name}>
          <div style={{ fontSize: 26, color: '#0072b2' }}>{formatValue(points.at(-1)?.[1] ?? 0, panel.unit)}</div>
          <div style={{ color: '#555' }}>{name}</div>
        </div>
      ))}
    </div>
  );
}

function Legend({ panel }: { panel: PanelPicture }) {
  const names = panel.series.map(({ name }) => name);
  return (
    <div
      style={{
        display: 'flex',
        flexWrap: 'wrap',
        gap: '0 10px',
        height: LEGEND_HEIGHT,
        overflow: 'hidden',
        fontSize: 10,
      }}
    >
      {names.map((name, index) => (
        <span key={name} style={{ whiteSpace: 'nowrap', lineHeight: '15px' }}>
          <span style={{ color: getColour(index), fontWeight: 700 }}>▬</span> {name}
        </span>
      ))}
    </div>
  );
}

function Chart({ panel, width, height }: { panel: PanelPicture; width: number; height: number }) {
  const times = [...new Set(panel.series.flatMap(({ points }) => points.map(([time]) => time)))].sort((a, b) => a - b);
  const values = panel.series.map(({ points }) => new Map(points));
  const rows = times.map((time) => ({
    time,
    ...Object.fromEntries(values.map((each, index) => [`s${index}`, each.get(time)])),
  }));
  return (
    <LineChart width={width} height={height} data={rows} margin={{ top: 6, right: 8, bottom: 0, left: 0 }}>
      <CartesianGrid stroke="#e3e3e3" />
      <XAxis dataKey="time" type="number" domain={['dataMin', 'dataMax']} tickFormatter={formatTime} fontSize={10} />
      <YAxis
        width={56}
        fontSize={10}
        domain={[0, (highest: number) => (highest > 0 ? highest * 1.05 : 1)]}
        tickFormatter={(value: number) => formatValue(value, panel.unit)}
      />
      {panel.series.map(({ name }, index) => (
        <Line
          key={name}
          dataKey={`s${index}`}
          stroke={getColour(index)}
          strokeWidth={1.5}
          dot={false}
          connectNulls={false}
          isAnimationActive={false}
        />
      ))}
    </LineChart>
  );
}

function Panel({ panel }: { panel: PanelPicture }) {
  const { x, y, w, h } = panel.place;
  const width = w * COLUMN - GAP;
  const height = h * ROW - GAP;
  const isEmpty = panel.series.length === 0;
  return (
    <section
      style={{
        ...{ position: 'absolute', left: x * COLUMN, top: y * ROW, width, height, boxSizing: 'border-box' },
        ...{ background: '#fff', border: '1px solid #ddd', borderRadius: 3, padding: 8, overflow: 'hidden' },
      }}
    >
      <h2 style={{ margin: '0 0 4px', fontSize: 13 }}>{panel.title}</h2>
      {isEmpty && <p style={{ color: '#777' }}>No data</p>}
      {!isEmpty && panel.type === 'stat' && <Stat panel={panel} />}
      {!isEmpty && panel.type === 'timeseries' && (
        <>
          <Chart panel={panel} width={width - 18} height={height - 40 - LEGEND_HEIGHT} />
          <Legend panel={panel} />
        </>
      )}
    </section>
  );
}

function Dashboard({ title, description, note, panels }: DashboardPicture) {
  const rows = Math.max(...panels.map(({ place }) => place.y + place.h));
  return (
    <main style={{ width: 24 * COLUMN, padding: 16, background: '#f4f5f5', font: '12px "Noto Sans", sans-serif' }}>
      <h1 style={{ margin: 0, fontSize: 20 }}>{title}</h1>
      <p style={{ margin: '4px 0 12px' }}>
        {description} <em>{note}</em>
      </p>
      <div style={{ position: 'relative', height: rows * ROW }}>
        {panels.map((panel) => (
          <Panel key={panel.title} panel={panel} />
        ))}
      </div>
    </main>
  );
}

window.drawDashboard = (dashboard) => {
  const container = document.body.appendChild(document.createElement('div'));
  createRoot(container).render(<Dashboard {...dashboard} />);
};
