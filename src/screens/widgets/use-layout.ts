import { useLiveQuery } from '#src/device/use-live-query.ts';
import { useRef } from 'react';
import { can } from '#contract/can.ts';
import type { DashboardId } from '#contract/dashboard-titles.ts';
import { widgetsOf, type WidgetSpec } from '#contract/dashboard-widgets.ts';
import type { DashboardLayout } from '#contract/entities/dashboard.ts';
import { type ArrangedWidget, arrangeWidgets } from '#contract/rules/arrange-widgets.ts';
import { useSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import { keepPage, keptPage } from '#src/device/kept-pages.ts';
import { useReadOf } from '#src/screens/use-read.ts';

export type ArrangedSpec = WidgetSpec & ArrangedWidget;

/**
 * The arrangement of a dashboard: first the one stored on this device, then the server's; without either, the default.
 * `layout` is the server's answer: without it nothing can be arranged.
 */
export const useLayout = (dashboard: DashboardId) => {
  const me = useSession();
  const name = `dashboard:${dashboard}` as const;
  const stored = useLiveQuery(() => keptPage<DashboardLayout>(name).catch(() => null), [name]);
  const { state, retry } = useReadOf<DashboardLayout>(
    ['layout', dashboard],
    async (signal) => {
      const answer = await call('GET /dashboards/{dashboard}/layout', { params: { dashboard } }, { signal, quiet: true });
      if (answer.kind === 'ok') void keepPage(name, answer.data).catch(() => undefined);
      return answer;
    },
    { keepShown: 'same' },
  );
  const there = widgetsOf(dashboard).filter(({ need }) => !need || can(me, need));
  const arrange = (saved: readonly ArrangedWidget[]): ArrangedSpec[] =>
    arrangeWidgets(
      there.map((w) => w.id),
      saved,
    ).flatMap((w) => there.filter((known) => known.id === w.id).map((of) => ({ ...of, ...w })));
  // An answer stays valid until the next one: a lost connection does not end arranging.
  const answered = useRef<DashboardLayout | null>(null);
  if (state.kind === 'loaded') answered.current = state.data;
  const layout = answered.current;
  // The stored one loads in a moment; without one, wait for the server, so that nothing jumps.
  const isKnown = layout !== null || Boolean(stored) || (stored === null && state.kind !== 'loading');
  return { layout, widgets: isKnown ? arrange((layout ?? stored?.value)?.widgets ?? []) : null, arrange, retry };
};
