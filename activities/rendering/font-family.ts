/** Font families in order of preference; the configuration in `fonts.ts` provides them. */
export const FONT_FAMILY =
  '"Noto Sans", "Noto Sans Arabic", "Noto Sans Hebrew", "Noto Sans Thai", "Noto Sans SC", "Noto Sans KR", "Noto Emoji", sans-serif';
