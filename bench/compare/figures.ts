/** What one part of a comparison found; a text says why something was not measured. */
export type Figures = Record<string, number | string>;
