import { MantineProvider, mergeThemeOverrides } from '@mantine/core';
import type { MantineThemeOverride } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { styleNonce } from '../shared/nonce';
import { cssVariablesResolver, theme } from '../shared/theme';
import { getSeparators } from './components/read-decimal';
import { queryClient } from './queries';
import { Shell } from './shell/shell';

/**
 * The theme of the console. It gives buttons that have only an icon, empty file inputs and loaders a name for screen
 * readers, and number fields the decimal separator of the language.
 */
function useTheme(): MantineThemeOverride {
  const { t, i18n } = useTranslation('common');
  const { decimal: decimalSeparator } = getSeparators(i18n.language);
  const [close, clear, chooseFile, showPassword] = [t('close'), t('clear'), t('chooseFile'), t('showPassword')];
  return useMemo(() => {
    const closing = { defaultProps: { 'aria-label': close } };
    const clearing = { 'aria-label': clear };
    return mergeThemeOverrides(theme, {
      components: {
        ModalCloseButton: closing,
        DrawerCloseButton: closing,
        // Without a role, a name would not be read.
        Loader: { defaultProps: { role: 'status' } },
        InputClearButton: { defaultProps: clearing },
        // Both a point and a comma can be typed.
        NumberInput: { defaultProps: { decimalSeparator } },
        PasswordInput: { defaultProps: { visibilityToggleButtonProps: { 'aria-label': showPassword } } },
        FileInput: { defaultProps: { clearButtonProps: clearing, placeholder: chooseFile } },
      },
    });
  }, [close, clear, chooseFile, showPassword, decimalSeparator]);
}

/** The whole console: theme and queries around the shell, which shows the sign-in page or the page of the address. */
export function ConsoleApp() {
  return (
    <MantineProvider
      theme={useTheme()}
      cssVariablesResolver={cssVariablesResolver}
      defaultColorScheme="auto"
      getStyleNonce={() => styleNonce}
    >
      <QueryClientProvider client={queryClient}>
        <Shell />
      </QueryClientProvider>
    </MantineProvider>
  );
}
