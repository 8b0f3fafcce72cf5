import '@mantine/core/styles/Tabs.css';
import { Tabs } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import classes from '#src/screens/detail-tabs.module.css';
import { openTab, type TabAddress, withTab } from '#src/screens/tab-address.ts';

export type DetailTab = TabAddress & {
  label: string;
  /** The number of its items. */
  count?: number | undefined;
  content: ReactNode;
  /** Secondary content: beside the rest if there is room, otherwise below it. */
  aside?: ReactNode;
};
export type DetailTabList = readonly [DetailTab, ...DetailTab[]];

/**
 * The sections of a page as tabs, of which one is open: it is in the address, so that a link and the back button open it again. The
 * others are not rendered and request nothing.
 */
export const DetailTabs = ({ label, tabs, show }: { label: string; tabs: DetailTabList; show: (tab: DetailTab) => ReactNode }) => {
  const place = useLocation();
  const navigate = useNavigate();
  const open = openTab(tabs, place);
  const list = useRef<HTMLDivElement>(null);
  // A link may open a tab that is beyond the edge of a phone. The page itself is not scrolled.
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever another tab is open
  useEffect(() => {
    const tab = list.current?.querySelector<HTMLElement>('[aria-selected=true]');
    if (tab) list.current?.scrollTo({ left: tab.offsetLeft - (list.current.clientWidth - tab.offsetWidth) / 2 });
  }, [open.id]);
  return (
    <Tabs
      value={open.id}
      onChange={(id) => {
        if (id !== null && id !== open.id) void navigate({ search: withTab(place.search, id === tabs[0].id ? null : id) });
      }}
      keepMounted={false}
      // A tab loads its data when it is opened: arrow keys move between tabs, Enter or Space opens one.
      activateTabWithKeyboard={false}
    >
      <Tabs.List ref={list} aria-label={label} className={classes.list}>
        {tabs.map(({ id, label, count }) => (
          <Tabs.Tab key={id} value={id} className={classes.tab} rightSection={count !== undefined && <span className={classes.count}>{count}</span>}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map((tab) => (
        <Tabs.Panel key={tab.id} value={tab.id} tabIndex={0} className={classes.panel}>
          {show(tab)}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
};
