import type { Browser } from '@playwright/test';
import type { CoursePackage } from '#contract/entities/package.ts';
import { openDatabase } from '#server/db/open.ts';
import { sql } from '#server/db/sql.ts';
import { signIn } from '#tests/support/browser-test.ts';
import type { RealServer } from '#tests/support/real-server.ts';

/** Uploads a package as an author does, and lets it take the place of the SCORM course that the demo has. */
export const playInstead = async (browser: Browser, server: RealServer, archive: Buffer): Promise<void> => {
  const desk = await browser.newContext();
  const page = await desk.newPage();
  await signIn(page, server, 'admin@willowbrook.test');
  const { id, tree, bytes, files, manifest } = await page.evaluate(
    async (content) => {
      const token = decodeURIComponent(/XSRF-TOKEN=([^;]+)/.exec(document.cookie)?.[1] ?? '');
      const answer = await fetch('/api/packages?kind=scorm', {
        method: 'POST',
        headers: { 'Content-Type': 'application/zip', 'X-XSRF-TOKEN': token },
        body: new Uint8Array(content),
      });
      return ((await answer.json()) as { data: CoursePackage }).data;
    },
    [...archive],
  );
  await desk.close();
  await server.stop();
  const database = await openDatabase({ DATA_DIR: server.folder });
  await database.db.run(
    sql`update content_versions set document = jsonb_set(document, '{package}', ${JSON.stringify({ id, tree, bytes, files, manifest })}::jsonb) where document ->> 'type' = 'scorm'`,
  );
  await database.close();
  await server.start();
};
