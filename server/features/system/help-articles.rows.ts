import { type Db, sql } from '#server/db/sql.ts';

export type HelpArticle = { id: string; title: string; url_regex: string; link_suffix: string; body: string };

/** All help articles, by title. */
export const helpArticles = (db: Db): Promise<HelpArticle[]> =>
  db.all<HelpArticle>(sql`select id, title, url_regex, link_suffix, body from help_articles order by title`);
