import '@fontsource-variable/atkinson-hyperlegible-next/wght.css';
import '#src/ui/mantine-styles.ts';
import '#src/ui/global.css';
import { MantineProvider } from '@mantine/core';
import { useEffect, useMemo, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { emptySheet } from '#contract/matrix/sheet.ts';
import { defaultWhitelabel } from '#contract/entities/whitelabel-defaults.ts';
import { brandProperties } from '#src/ui/theme/apply-brand.ts';
import { brandTheme } from '#src/ui/theme/brand-theme.ts';
import { MatrixBar } from '#src/features/matrix/grid/matrix-bar.tsx';
import type { MatrixHandle } from '#src/features/matrix/grid/matrix-grid.tsx';
import { MatrixLegend } from '#src/features/matrix/grid/marks-view.tsx';
import { PrintMatrix } from '#src/features/matrix/grid/print-matrix.tsx';
import { type MatrixData, plainView, viewIn } from '#src/features/matrix/grid/matrix-view.ts';
import { pictureFirst } from '#src/features/matrix/grid/picture-first.ts';
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

/** In place of nobody: the courses are known before the people are. */
const nobody: MatrixData = { ...data, sheet: emptySheet(0, data.courses.length), loaded: new Uint8Array(0), people: [] };
const isLater = query.has('later');

/** As the screen does it (`use-matrix.ts`, `matrix.page.tsx`): its frame stands before the people come. */
const Page = () => {
  const [view, setView] = useState(() => ({ ...plainView, ...viewIn(query) }));
  const [selected, setSelected] = useState<ReadonlySet<string>>(() => new Set());
  const [come, setCome] = useState(isLater ? nobody : data);
  const arrangement = useArrangement(come, 0, view);
  const note = useMemo(() => (what: string) => (document.title = what), []);
  const handle = useRef<MatrixHandle>(null);
  useEffect(() => {
    const { take, stop } = pictureFirst<MatrixData>((first) => handle.current?.show(first) === true, setCome);
    Object.assign(window, { show: () => take(data) });
    return stop;
  }, []);
  const all = { data: come, waits: come === nobody, arrangement, view, lights, bands, kinds, selected };
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
  if (isLater) return grid;
  return (
    <div style={{ display: 'grid', gap: 16, padding: 16 }}>
      <MatrixBar {...all} open onView={setView} onJump={(to) => handle.current?.jumpTo(to) ?? false} />
      {grid}
      <MatrixLegend lights={lights} secondary={kinds.secondary} />
      <PrintMatrix {...all} label="Training matrix" note="As of 26/11/2026, 14:03" />
    </div>
  );
};

const root = document.querySelector('#root') as HTMLElement;
Object.assign(window, { data });
if (query.has('ag')) {
  const { agOf } = await import('#tests/bench/matrix-page/ag.ts');
  Object.assign(window, { show: agOf(root, data, query.get('ag') === 'empty') });
} else {
  for (const [name, value] of Object.entries(brandProperties(defaultWhitelabel))) document.documentElement.style.setProperty(name, value);
  createRoot(root).render(
    <MantineProvider theme={brandTheme(defaultWhitelabel)} forceColorScheme={query.get('scheme') === 'dark' ? 'dark' : 'light'}>
      <Page />
    </MantineProvider>,
  );
}
