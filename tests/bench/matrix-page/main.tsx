import '@fontsource-variable/atkinson-hyperlegible-next/wght.css';
import '#src/ui/mantine-styles.ts';
import '#src/ui/global.css';
import { MantineProvider } from '@mantine/core';
import { useMemo, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { defaultWhitelabel } from '#contract/entities/whitelabel-defaults.ts';
import { brandProperties } from '#src/ui/theme/apply-brand.ts';
import { brandTheme } from '#src/ui/theme/brand-theme.ts';
import { MatrixBar } from '#src/features/matrix/grid/matrix-bar.tsx';
import type { MatrixHandle } from '#src/features/matrix/grid/matrix-grid.tsx';
import { MatrixLegend } from '#src/features/matrix/grid/marks-view.tsx';
import { PrintMatrix } from '#src/features/matrix/grid/print-matrix.tsx';
import { plainView, viewIn } from '#src/features/matrix/grid/matrix-view.ts';
import { Matrix } from '#src/features/matrix/grid/matrix.tsx';
import { useArrangement } from '#src/features/matrix/grid/use-arrangement.ts';
import { dataOf } from '#tests/bench/matrix-page/data.ts';

const query = new URLSearchParams(location.search);
const data = dataOf(Number(query.get('rows') ?? 10_000), Number(query.get('columns') ?? 200));
const lights = {
  ok: defaultWhitelabel.trafficLightOk,
  warning: defaultWhitelabel.trafficLightWarning,
  danger: defaultWhitelabel.trafficLightDanger,
};
const bands = { green: 85, amber: 65 };
const kinds = { primary: 'Mandatory', secondary: 'Recommended' };

const Page = () => {
  const [view, setView] = useState(() => ({ ...plainView, ...viewIn(query) }));
  const [selected, setSelected] = useState<ReadonlySet<string>>(() => new Set());
  const arrangement = useArrangement(data, 0, view);
  const note = useMemo(() => (what: string) => (document.title = what), []);
  const handle = useRef<MatrixHandle>(null);
  const all = { data, arrangement, view, lights, bands, kinds, selected };
  const grid = (
    <Matrix
      handle={handle}
      label="Training matrix"
      {...all}
      onView={setView}
      onSelect={setSelected}
      onOpen={(row, column) => note(`cell ${row} ${column}`)}
      onOpenPerson={(row) => note(`person ${row}`)}
      onOpenCourse={(column) => note(`course ${column}`)}
    />
  );
  // What is measured is the grid alone.
  if (query.has('later')) return grid;
  return (
    <div style={{ display: 'grid', gap: 16, padding: 16 }}>
      <MatrixBar {...all} onView={setView} onJump={(to) => handle.current?.jumpTo(to) ?? false} />
      {grid}
      <MatrixLegend lights={lights} secondary={kinds.secondary} />
      <PrintMatrix {...all} label="Training matrix" note="As of 26/11/2026, 14:03" />
    </div>
  );
};

const root = document.querySelector('#root') as HTMLElement;
const isLater = query.has('later');
/** The frame of the app stands long before the data is there: what is measured begins with the data in hand. */
const Frame = () => {
  const [shown, setShown] = useState(!isLater);
  Object.assign(window, { show: () => setShown(true) });
  return (
    <MantineProvider theme={brandTheme(defaultWhitelabel)} forceColorScheme={query.get('scheme') === 'dark' ? 'dark' : 'light'}>
      {shown && <Page />}
    </MantineProvider>
  );
};
Object.assign(window, { data });
if (query.has('ag')) {
  const { showAg } = await import('#tests/bench/matrix-page/ag.ts');
  Object.assign(window, { show: () => showAg(root, data) });
} else {
  for (const [name, value] of Object.entries(brandProperties(defaultWhitelabel))) document.documentElement.style.setProperty(name, value);
  createRoot(root).render(<Frame />);
}
