import '#src/ui/mantine-styles.ts';
import { MantineProvider } from '@mantine/core';
import { type ReactNode, useMemo } from 'react';
import { useBrand } from '#src/access/brand.ts';
import { brandTheme } from '#src/ui/theme/brand-theme.ts';

/** The component library in the organisation's colours; loaded with the layouts that use it, not with the sign-in screens. */
export const ComponentLibrary = ({ children }: { children: ReactNode }) => {
  const brand = useBrand();
  const theme = useMemo(() => brandTheme(brand), [brand]);
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto">
      {children}
    </MantineProvider>
  );
};
