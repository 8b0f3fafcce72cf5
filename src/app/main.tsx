import '#src/ui/mantine-styles.ts';
import { MantineProvider } from '@mantine/core';
import { StrictMode, useEffect, useMemo } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router-dom';
import { refreshBrand, useBrand } from '#src/access/brand.ts';
import { useSession } from '#src/access/session.ts';
import { whenRefused } from '#src/api/call.ts';
import { registerServiceWorker } from '#src/app/service-worker.ts';
import { router } from '#src/app/router.tsx';
import { answerRefusal } from '#src/app/refusal.ts';
import { brandTheme } from '#src/ui/theme/brand-theme.ts';

const App = () => {
  const brand = useBrand();
  const user = useSession();
  const slug = user?.primary_entity.slug;
  useEffect(() => {
    void refreshBrand(slug);
  }, [slug]);
  useEffect(() => {
    document.title = brand.companyName;
    document.querySelector('meta[name=theme-color]')?.setAttribute('content', brand.colours.primary);
  }, [brand]);
  const theme = useMemo(() => brandTheme(brand), [brand]);
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto">
      <RouterProvider router={router} />
    </MantineProvider>
  );
};

whenRefused(answerRefusal);
registerServiceWorker();
createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
