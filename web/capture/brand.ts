import { Button, darken, lighten, luminance, mergeThemeOverrides } from '@mantine/core';
import type { MantineColorsTuple, MantineThemeOverride } from '@mantine/core';
import { theme } from '../shared/theme';

/** Long labels wrap at 320 px. */
const base = mergeThemeOverrides(theme, {
  // Below it white text has more contrast with a colour than black text, from it black text.
  luminanceThreshold: 0.179,
  components: {
    Button: Button.extend({
      styles: {
        root: { height: 'auto', minHeight: 'var(--button-height)', paddingBlock: 6 },
        label: { whiteSpace: 'normal' },
      },
    }),
  },
});

/** Backgrounds of the page, and the contrast that controls and the focus need with them (WCAG 2.2, 1.4.11). */
const PAGE = { light: '#ffffff', dark: '#242424' } as const;
const LEAST_CONTRAST = 3;
/** Small, so that text on the colour keeps its contrast in the other colour scheme, too. */
const STEP = 0.01;

/** The contrast of two colours, 1–21 (WCAG 2.2). */
function measureContrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

/** A colour that can be distinguished from the background: the same one if it can, else a darker or lighter one. */
export function separateFromPage(color: string, scheme: keyof typeof PAGE): string {
  const change = scheme === 'light' ? darken : lighten;
  for (let share = 0; share < 1; share += STEP) {
    const changed = share === 0 ? color : change(color, share);
    if (measureContrast(changed, PAGE[scheme]) >= LEAST_CONTRAST) return changed;
  }
  return scheme === 'light' ? '#000000' : '#ffffff';
}

/**
 * The theme with the colour of an organisation. A colour that resembles the page is darkened, or lightened in dark mode;
 * text on it is black or white, whichever has more contrast.
 */
export function buildTheme(color: string | null): MantineThemeOverride {
  if (color === null) return base;
  const [light, dark] = [separateFromPage(color, 'light'), separateFromPage(color, 'dark')];
  const shades: MantineColorsTuple = [light, light, light, light, light, light, light, light, dark, dark];
  return mergeThemeOverrides(base, {
    colors: { brand: shades },
    primaryColor: 'brand',
    primaryShade: { light: 7, dark: 8 },
  });
}
