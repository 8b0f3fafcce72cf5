import { Outlet } from 'react-router-dom';
import { ComponentLibrary } from '#src/app/layouts/component-library.tsx';
import { LanternMark } from '#src/ui/lantern-mark.tsx';

/** A bare page, for screens outside the app. */
export const ExternalLayout = () => (
  <ComponentLibrary>
    <header style={{ padding: 16 }}>
      <a href="/" aria-label="Start page">
        <LanternMark />
      </a>
    </header>
    <main>
      <Outlet />
    </main>
  </ComponentLibrary>
);
