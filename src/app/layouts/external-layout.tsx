import { Outlet } from 'react-router-dom';
import { LanternMark } from '#src/ui/lantern-mark.tsx';

/** A bare page, for screens that belong to nobody. */
export const ExternalLayout = () => (
  <div>
    <header style={{ padding: 16 }}>
      <a href="/" aria-label="Start page">
        <LanternMark />
      </a>
    </header>
    <main>
      <Outlet />
    </main>
  </div>
);
