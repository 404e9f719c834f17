import type { Chart, ChartPreset } from '../accounts';
import { GENERIC } from './generic';
import { SKR03 } from './skr03';
import { SKR04 } from './skr04';

export const PRESET_CHARTS: Readonly<Record<ChartPreset, Chart>> = { skr03: SKR03, skr04: SKR04, generic: GENERIC };
