import type { Browser } from '@playwright/test';
import type { ContentDocument } from '#contract/entities/content.ts';
import type { CoursePackage } from '#contract/entities/package.ts';
import { openDatabase } from '#server/db/open.ts';
import { sql } from '#server/db/sql.ts';
import { signIn } from '#tests/support/browser-test.ts';
import type { TestServer } from '#tests/support/real-server.ts';

/** Uploads a package as an author and replaces the demo's SCORM course with it, or the H5P activity in “Safeguarding adults”. */
export const playInstead = async (browser: Browser, server: TestServer, archive: Buffer, kind: 'scorm' | 'h5p' = 'scorm'): Promise<void> => {
  const desk = await browser.newContext();
  const page = await desk.newPage();
  await signIn(page, server, 'admin@willowbrook.test');
  const { id, tree, bytes, files, manifest } = await page.evaluate(
    async ({ content, kind }) => {
      const token = decodeURIComponent(/XSRF-TOKEN=([^;]+)/.exec(document.cookie)?.[1] ?? '');
      const answer = await fetch(`/api/packages?kind=${kind}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/zip', 'X-XSRF-TOKEN': token },
        body: new Uint8Array(content),
      });
      return ((await answer.json()) as { data: CoursePackage }).data;
    },
    { content: [...archive], kind },
  );
  await desk.close();
  await server.stop();
  const database = await openDatabase({ DATA_DIR: server.folder, DATABASE_URL: server.databaseUrl });
  const versions = await database.db.all<{ content_id: string; document: ContentDocument }>(sql`select content_id, document from content_versions`);
  for (const { content_id, document } of versions) {
    if (manifest.kind === 'scorm' && document.title === 'Data protection') document.package = { id, tree, bytes, files, manifest };
    const blocks = document.title === 'Safeguarding adults' ? document.lessons.flatMap((l) => l.topics).flatMap((t) => t.blocks) : [];
    for (const block of blocks)
      if (manifest.kind === 'h5p' && block.kind === 'h5p')
        block.package = {
          id,
          tree,
          bytes,
          files,
          main_library: manifest.main_library,
          licence: manifest.licence,
          authors: manifest.authors,
          source: manifest.source,
        };
    await database.db.run(sql`update content_versions set document = ${JSON.stringify(document)} where content_id = ${content_id}`);
  }
  await database.close();
  await server.start();
};
