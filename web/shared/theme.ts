import { createTheme, DEFAULT_THEME } from '@mantine/core';
import type { CSSVariablesResolver } from '@mantine/core';

/** The look of both applications. */
export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 7, dark: 8 },
  defaultRadius: 'md',
  autoContrast: true,
  respectReducedMotion: true,
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  cursorType: 'pointer',
  // Statuses are written as other words are.
  components: { Badge: { defaultProps: { tt: 'none' } } },
});

/** Text on a tinted background has the colour of other text; the tint alone says what it means. */
const textOnTints = Object.fromEntries(
  Object.keys(DEFAULT_THEME.colors).map((color) => [
    `--mantine-color-${color}-light-color`,
    'var(--mantine-color-text)',
  ]),
);

/** Raises the contrast of colours that have less than 4.5 : 1 by default (WCAG 2.2, 1.4.3). */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    ...textOnTints,
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-placeholder': 'var(--mantine-color-gray-7)',
    '--mantine-color-error': 'var(--mantine-color-red-9)',
    '--mantine-color-red-filled': 'var(--mantine-color-red-9)',
    '--mantine-color-red-filled-hover': 'var(--mantine-color-red-8)',
  },
  dark: {
    ...textOnTints,
    '--mantine-color-dimmed': 'var(--mantine-color-dark-1)',
    '--mantine-color-placeholder': 'var(--mantine-color-dark-1)',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
  },
});
