import layout from '#src/ui/page.module.css';
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { sorts } from '#contract/api/sorts.ts';
import { can } from '#contract/can.ts';
import type { LessonLine } from '#contract/entities/authored-parts.ts';
import { pathTo } from '#contract/site-map.ts';
import { useSession } from '#src/access/session.ts';
import { titlesOf } from '#src/screens/authoring/uses-words.ts';
import { ListPage, type ListWords } from '#src/screens/list-page.tsx';
import type { Column } from '#src/screens/table/columns.ts';
import { type LoadPage, useList } from '#src/screens/use-list.ts';
import { formatDay } from '#src/lib/format.ts';

type Line = Pick<LessonLine, 'id' | 'title' | 'entity' | 'editable' | 'used_in' | 'updated_at'>;
type Of<R extends Line> = {
  kind: 'lessons' | 'topics' | 'quizzes';
  load: LoadPage<R, (typeof sorts.parts)[number]>;
  words: ListWords;
  add: string;
  /** Another way to add some, beside the button. */
  addAlso?: ReactNode;
  icon: ReactNode;
  /** The columns of this kind only. */
  columns: readonly Column<R>[];
  last?: readonly Column<R>[];
};

/** A list of parts of contents, with where they are used. */
export const partListPage = <R extends Line>({ kind, load, words, add, addAlso, icon, columns, last = [] }: Of<R>) => {
  const all: readonly Column<R>[] = [
    { id: 'title', header: 'Title', sort: 'title', width: 220, grow: 1.6, value: (p) => p.title },
    ...columns,
    { id: 'used', header: 'Used in', width: 200, grow: 1, value: (p) => titlesOf(p.used_in) },
    { id: 'from', header: 'From', value: (p) => p.entity.name },
    { id: 'changed', header: 'Changed', sort: 'updated_at', width: 130, grow: 0.4, value: (p) => formatDay(p.updated_at) },
    ...last,
  ];
  return () => {
    const user = useSession();
    const list = useList([kind], load, { sortedBy: sorts.parts });
    return (
      <ListPage
        words={words}
        list={list}
        icon={icon}
        add={
          can(user, 'content.create') && (
            <div className={layout.tools}>
              <Button component={Link} to={pathTo(`content-creator-${kind}-create`)}>
                {add}
              </Button>
              {addAlso}
            </div>
          )
        }
        columns={all}
        to={({ id, editable }) => (editable && can(user, 'content.update') ? pathTo(`content-creator-${kind}-update-by-id`, { id }) : null)}
      />
    );
  };
};
