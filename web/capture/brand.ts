import { Button, mergeThemeOverrides } from '@mantine/core';
import type { MantineColorsTuple, MantineThemeOverride } from '@mantine/core';
import { theme } from '../shared/theme';

/** Long labels wrap at 320 px. */
const base = mergeThemeOverrides(theme, {
  components: {
    Button: Button.extend({
      styles: {
        root: { height: 'auto', minHeight: 'var(--button-height)', paddingBlock: 6 },
        label: { whiteSpace: 'normal' },
      },
    }),
  },
});

/** The theme with the colour of an organisation; text on it is black or white, whichever has more contrast. */
export function buildTheme(color: string | null): MantineThemeOverride {
  if (color === null) return base;
  const shades: MantineColorsTuple = [color, color, color, color, color, color, color, color, color, color];
  return mergeThemeOverrides(base, { colors: { brand: shades }, primaryColor: 'brand' });
}
