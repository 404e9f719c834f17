/** What a panel shows: the results of its queries over time. */
export interface PanelPicture {
  title: string;
  type: 'timeseries' | 'stat';
  unit: string;
  /** Place in a grid with 24 columns, as in Grafana. */
  place: { x: number; y: number; w: number; h: number };
  /** Points are seconds since the beginning and values. */
  series: { name: string; points: [number, number][] }[];
}

export interface DashboardPicture {
  title: string;
  description: string;
  /** How the picture was made. */
  note: string;
  panels: PanelPicture[];
}
