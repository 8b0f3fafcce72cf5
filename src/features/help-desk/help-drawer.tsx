import { Drawer } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { protocol } from '#contract/protocol.ts';
import { helpPattern } from '#contract/site-map.ts';
import { type HelpArticlesQuery, HelpArticlesDocument } from '#src/api/generated/graphql.ts';
import { currentUser } from '#src/access/session.ts';
import { askAndKeep, keptAnswer } from '#src/device/graph-client.ts';
import { EmptyState, LoadingState } from '#src/ui/states.tsx';
import { IconHelp } from '#src/ui/icons.tsx';

type Article = HelpArticlesQuery['helpArticles']['data'][number];

/** Whether an article applies to this page: its expression matches the route's pattern or the path. */
const isAbout = (article: Article, pattern: string, path: string) => {
  try {
    const expression = new RegExp(article.url_regex);
    return expression.test(pattern) || expression.test(path);
  } catch {
    return false;
  }
};

/** Help for the current page; available offline once read. */
export const HelpDrawer = ({ pattern, onClose }: { pattern: string; onClose: () => void }) => {
  const { pathname } = useLocation();
  const [articles, setArticles] = useState<Article[] | null>(null);
  useEffect(() => {
    const person = currentUser();
    if (!person) return;
    void (async () => {
      const read = { personId: person.uuid, document: HelpArticlesDocument, variables: { first: protocol.graphPageSizeAll } };
      const kept = await keptAnswer(read).catch(() => null);
      if (kept) setArticles(kept.helpArticles.data);
      const answer = await askAndKeep(read).catch(() => null);
      setArticles((answer ?? kept)?.helpArticles.data ?? []);
    })();
  }, []);
  const shown = articles?.filter((a) => isAbout(a, helpPattern(pattern), pathname));
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      title="Help for this page"
      size="md"
      closeButtonProps={{ 'aria-label': 'Close help', size: 44 }}
      styles={{ title: { fontWeight: 700, fontSize: '1.25rem' } }}
    >
      {!shown && <LoadingState rows={2} label="Loading help" />}
      {shown?.length === 0 && (
        <EmptyState icon={<IconHelp size={32} />} title="No help available offline yet">
          Help articles you open while connected are then available offline.
        </EmptyState>
      )}
      {shown?.map((a) => (
        <section key={a.id} id={a.link_suffix}>
          <h2 style={{ fontSize: '1.1rem', marginBottom: 4 }}>{a.title}</h2>
          <p style={{ marginTop: 0, lineHeight: 1.6 }}>{a.body}</p>
        </section>
      ))}
    </Drawer>
  );
};
