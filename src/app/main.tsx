import '#src/ui/global.css';
import '@fontsource-variable/atkinson-hyperlegible-next/wght.css';
import { StrictMode, useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router-dom';
import { currentBrand, refreshBrand, useBrand } from '#src/access/brand.ts';
import { useSession } from '#src/access/session.ts';
import { whenRefused } from '#src/api/call.ts';
import { followColourScheme } from '#src/app/colour-scheme.ts';
import { answerRefusal } from '#src/app/refusal.ts';
import { router } from '#src/app/router.tsx';
import { registerServiceWorker } from '#src/app/service-worker.ts';
import { checkLastKnown } from '#src/device/last-known.ts';
import { whenIdle } from '#src/lib/when-idle.ts';
import { applyBrand } from '#src/ui/theme/apply-brand.ts';

const App = () => {
  const brand = useBrand();
  const slug = useSession()?.primary_entity.slug;
  useEffect(() => {
    whenIdle(() => void refreshBrand(slug));
  }, [slug]);
  useEffect(() => {
    document.title = brand.companyName;
    applyBrand(brand);
  }, [brand]);
  return <RouterProvider router={router} />;
};

followColourScheme();
applyBrand(currentBrand());
whenRefused((status) => answerRefusal(status, (to) => void router.navigate(to)));
// Where a worker answers already, looking for a newer one can wait.
if (navigator.serviceWorker?.controller) whenIdle(registerServiceWorker);
else registerServiceWorker();
checkLastKnown();
createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
