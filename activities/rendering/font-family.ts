/** Families in the order of preference; the configuration of `fonts.ts` holds them. */
export const FONT_FAMILY =
  '"Noto Sans", "Noto Sans Arabic", "Noto Sans Hebrew", "Noto Sans Thai", "Noto Sans SC", "Noto Sans KR", sans-serif';
