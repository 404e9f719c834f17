import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { styleNonce } from '../shared/nonce';
import { cssVariablesResolver, theme } from '../shared/theme';
import { queryClient } from './queries';
import { Shell } from './shell/shell';

export function ConsoleApp() {
  return (
    <MantineProvider
      theme={theme}
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
