import '@mantine/core/styles/Tabs.css';
import { Tabs } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import classes from '#src/screens/detail-tabs.module.css';
import { openTab, type TabAddress, withTab } from '#src/screens/tab-address.ts';

export type DetailTab = TabAddress & {
  label: string;
  /** How many there are in it. */
  count?: number | undefined;
  content: ReactNode;
  /** What is less often asked for: beside the rest where there is room, else below it. */
  aside?: ReactNode;
};
export type DetailTabList = readonly [DetailTab, ...DetailTab[]];

/**
 * The parts of a page as tabs, of which one is open: it stands in the address, so that a link and the way back open it again. What the
 * others hold is not there, and asks the server nothing.
 */
export const DetailTabs = ({ label, tabs, show }: { label: string; tabs: DetailTabList; show: (tab: DetailTab) => ReactNode }) => {
  const at = useLocation();
  const navigate = useNavigate();
  const open = openTab(tabs, at);
  const list = useRef<HTMLDivElement>(null);
  // A link may open one that lies beyond the edge of a phone. The page itself is not moved.
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever another tab is open
  useEffect(() => {
    const tab = list.current?.querySelector<HTMLElement>('[aria-selected=true]');
    if (tab) list.current?.scrollTo({ left: tab.offsetLeft - (list.current.clientWidth - tab.offsetWidth) / 2 });
  }, [open.id]);
  return (
    <Tabs
      value={open.id}
      onChange={(id) => {
        if (id !== null && id !== open.id) void navigate({ search: withTab(at.search, id === tabs[0].id ? null : id) });
      }}
      keepMounted={false}
      // What a tab holds is read when it is opened: arrows move along them, Enter or Space opens one.
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
