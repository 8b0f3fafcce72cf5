import layout from '#src/ui/page.module.css';
import shapes from '#src/ui/shapes.module.css';
import { Button } from '@mantine/core';
import { addPage, movePage, pageName } from '#src/features/content-designer/edits.ts';
import classes from '#src/features/content-designer/designer.module.css';
import type { Designer } from '#src/features/content-designer/use-designer.ts';
import { OrderList } from '#src/screens/authoring/order-list.tsx';
import { countOf } from '#src/lib/format.ts';
import { Badge } from '#src/ui/badge.tsx';
import { blocksOf } from '#src/features/content-designer/edited.ts';

type Props = { designer: Designer; problems: Readonly<Record<string, number>> };

/** The pages in order: selected, moved by dragging or with Alt and the arrow keys, and added. */
export const PageList = ({ designer, problems }: Props) => {
  const { design, chosen, choose, change, say, now } = designer;
  const move = (id: string, to: number) => {
    const pages = now().pages;
    const from = pages.findIndex((page) => page.id === id);
    const page = pages[from];
    const next = movePage(now(), id, to);
    if (!next || !page) return;
    const name = pageName(page, from);
    change(next, { name: `Move the page “${name}”`, page: id, block: null });
    say(`“${name}” is now page ${to + 1} of ${pages.length}.`);
  };
  return (
    <nav className={layout.stack} aria-label="Pages">
      <OrderList
        label="Pages in their order"
        items={design.pages}
        nameOf={pageName}
        buttons={false}
        onMove={(pages) => change({ ...now(), pages }, { name: 'Put the pages in another order', block: null })}
      >
        {(page, i) => (
          <button
            type="button"
            className={`${shapes.press} ${classes.pageLine}`}
            data-page={page.id}
            aria-current={chosen.page === page.id ? 'page' : undefined}
            aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
            onClick={() => choose(page.id)}
            onKeyDown={(event) => {
              const offset = event.altKey ? { ArrowUp: -1, ArrowDown: 1 }[event.key] : undefined;
              if (offset === undefined) return;
              event.preventDefault();
              const button = event.currentTarget;
              move(page.id, i + offset);
              requestAnimationFrame(() => button.focus());
            }}
          >
            <span>
              {i + 1}. {pageName(page, i)}
            </span>
            <small>{countOf(blocksOf(page).length, 'block')}</small>
            {problems[page.id] ? <Badge tone="warning">{countOf(problems[page.id] ?? 0, 'problem')}</Badge> : null}
          </button>
        )}
      </OrderList>
      <Button
        variant="default"
        onClick={() => {
          const made = addPage(now(), chosen.page);
          if (!made) {
            say('There is no room for another page.');
            return;
          }
          change(made.design, { name: 'Add a page', page: made.id, block: null });
          choose(made.id);
          say(`A page is added: page ${made.design.pages.findIndex((p) => p.id === made.id) + 1} of ${made.design.pages.length}.`);
        }}
      >
        Add a page
      </Button>
    </nav>
  );
};
