/** Props of every chart. The margin keeps the label of the highest tick at its line. */
export const CHART_PROPS = { accessibilityLayer: false, margin: { top: 12 } } as const;
