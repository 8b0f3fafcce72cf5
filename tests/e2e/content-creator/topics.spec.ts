import { api, draftIsKept, expect, signIn, tabTo, test } from '#tests/support/browser-test.ts';
import { desktop, look } from '#tests/support/look.ts';

type Topic = { title: string; skippable: boolean; blocks: { kind: string; tone?: string; title?: string; doc?: { content: { type: string }[] } }[] };

test('an author writes a topic with the keyboard alone, reloads in the middle, goes on and saves; what is pasted comes in clean @online', async ({
  page,
  server,
}) => {
  await page.setViewportSize(desktop);
  await signIn(page, server, 'admin@willowbrook.test');
  await page.goto(`${server.url}/content-creator/topics/create`);
  const keys = page.keyboard;
  const text = page.getByRole('textbox', { name: 'Text of the topic' });
  await text.waitFor();
  await tabTo(page, page.getByLabel('Title'));
  await keys.type('Clean hands');
  await tabTo(page, page.getByLabel('Can be skipped'));
  await keys.press('Space');
  await tabTo(page, page.getByRole('button', { name: 'Undo' }));
  // The toolbar is one tab stop.
  await keys.press('Tab');
  await expect(text).toBeFocused();
  await keys.press('Control+Alt+3');
  await keys.type('Why it matters');
  await keys.press('Enter');
  await keys.type('Most infections travel on hands. ');
  await keys.press('Control+b');
  await keys.type('Yours');
  await keys.press('Control+b');
  await keys.type(', too.');
  await keys.press('Enter');
  await keys.type('- before you touch a person');
  await keys.press('Enter');
  await keys.type('after you leave');
  await keys.press('Control+Enter');
  await keys.press('Alt+i');
  await keys.press('Enter');
  const callout = page.getByRole('menuitem', { name: 'Callout: danger' });
  await callout.waitFor();
  for (let i = 0; i < 12 && !(await callout.evaluate((e) => e === document.activeElement)); i++) await keys.press('ArrowDown');
  await keys.press('Enter');
  await expect(text).toBeFocused();
  await keys.press('Enter');
  await keys.type('Gel does not kill every germ.');
  await keys.press('Alt+ArrowUp');
  await expect(page.getByText('Moved up: now 3 of')).toBeAttached();
  await expect(page.getByRole('region', { name: 'Reading and accessibility' })).toContainText('“Why it matters” is a smaller heading');
  await expect(page.frameLocator('iframe[title="What a learner sees"]').getByText('Gel does not kill every germ.')).toBeVisible();

  await draftIsKept(page);
  await page.reload();
  await page.getByRole('button', { name: 'Continue with it' }).click();
  await expect(text).toContainText('Gel does not kill every germ.');
  // From the problem to where it is, and put right.
  await page.getByRole('button', { name: /smaller heading/ }).press('Enter');
  await expect(text).toBeFocused();
  await keys.press('Control+Alt+2');
  await expect(page.getByText('No accessibility problems found.')).toBeVisible();
  await look(page, 'topic-create');
  await page.getByRole('button', { name: 'Save' }).press('Enter');
  await expect(page.getByText('Topic has been created.')).toBeVisible();
  await page
    .getByRole('link', { name: /Clean hands/ })
    .first()
    .click();
  await expect(page.getByRole('heading', { level: 1, name: 'Clean hands' })).toBeVisible();
  const id = page.url().split('/').at(-1) as string;
  const saved = await api<Topic>(page, 'GET', `/topics/${id}`);
  expect(saved).toMatchObject({ title: 'Clean hands', skippable: true });
  expect(saved.blocks.map((b) => (b.kind === 'text' ? b.doc?.content.map((n) => n.type) : [b.kind, b.tone]))).toEqual([
    ['heading', 'paragraph'],
    ['callout', 'danger'],
    ['bulletList'],
  ]);

  // From Word: a list of its kind, a table, a picture of a file that did not come along, and one that did.
  await text.press('Control+End');
  // The editor has heard where the caret is.
  await expect(page.getByRole('button', { name: 'Size: Text' })).toBeVisible();
  await page.evaluate(() => {
    const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const data = new DataTransfer();
    data.setData(
      'text/html',
      `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style><!-- p.MsoNormal {margin:0} --></style></head><body><!--StartFragment-->
<p class=MsoListParagraph style='mso-list:l0 level1 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>1.<span>&nbsp;</span></span><![endif]>Wet<o:p></o:p></p>
<p class=MsoListParagraph style='mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>2.<span>&nbsp;</span></span>Rub<o:p></o:p></p>
<table class=MsoTableGrid><tr><td><p class=MsoNormal>When</p></td><td><p class=MsoNormal>Always</p></td></tr></table>
<p><img src="file:///C:/a.png"><img src="data:image/png;base64,${dot}"></p><script>document.title = 'ran'</script><!--EndFragment--></body></html>`,
    );
    data.setData('text/plain', 'Wet Rub');
    document.querySelector('.ProseMirror')?.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  });
  await expect(text.getByRole('listitem').filter({ hasText: /^Wet$/ })).toBeVisible();
  await expect(page.getByText('One picture could not be taken along.')).toBeVisible();
  await expect(text.locator('img[src^="/api/media/"]')).toBeVisible();
  await page.getByRole('button', { name: /no alternative text/ }).press('Enter');
  await keys.press('Enter');
  await keys.type('A wet hand');
  await keys.press('Escape');
  await expect(text).toBeFocused();
  await look(page, 'topic-update');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Topic has been updated.')).toBeVisible();
  const changed = await api<Topic>(page, 'GET', `/topics/${id}`);
  expect(changed.blocks.map((b) => b.kind)).toEqual(['text', 'callout', 'text', 'image']);
  expect(changed.blocks[2]?.doc?.content.map((n) => n.type)).toEqual(['bulletList', 'orderedList', 'table']);

  // A film over a connection that is lost halfway: only the missing pieces are sent again.
  let cuts = 0;
  await page.route('**/content/files/*/pieces/*', (route) => (cuts++ === 0 ? route.abort('connectionreset') : route.continue()));
  await page.goto(`${server.url}/content-creator/topics/update/${id}`);
  await text.press('Control+End');
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Insert' }).click();
  await page.getByRole('menuitem', { name: 'Video' }).click();
  await (await chooser).setFiles('server/db/demo/media/hand-washing.mp4');
  await expect(page.getByRole('button', { name: /video.*has no captions/i })).toBeVisible();
  // What a device keeps of it, and what it cannot.
  await page.getByRole('switch', { name: 'As offline' }).press('Space');
  await expect(page.getByRole('region', { name: 'Without a connection' })).toContainText(/takes \d+\.\d MB on a device .* 2 files/);
  expect(cuts).toBe(2);
  // One that is none is not sent, and says why.
  await text.press('Control+End');
  const other = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Insert' }).click();
  await page.getByRole('menuitem', { name: 'Video' }).click();
  await (await other).setFiles({ name: 'party.mp4', mimeType: 'video/mp4', buffer: Buffer.from('There is no film in here.') });
  await expect(page.getByText('“party.mp4” was not sent. This is not a video that can be opened. Export it as MP4')).toBeVisible();
  await page.getByRole('button', { name: 'Remove it' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.poll(async () => (await api<Topic>(page, 'GET', `/topics/${id}`)).blocks.map((b) => b.kind)).toContain('video');
});
