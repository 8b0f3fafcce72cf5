import { zip } from '#tests/support/archives.ts';
import { chip, course, courseSaved, expect, keepCourse, newDevice, signIn, test } from '#tests/support/browser-test.ts';
import { look } from '#tests/support/look.ts';
import { playInstead } from '#tests/support/play-instead.ts';

type Page = import('@playwright/test').Page;
const item = (page: Page) => page.frameLocator('iframe[data-shown]').frameLocator('iframe[title]');

/** A page that shows where it resumed, with buttons for its outcome and for navigation. */
const sco = `<!doctype html><html lang="en"><title>Part</title><h1></h1><p></p><script>
  const api = parent.API_1484_11;
  api.Initialize('');
  document.querySelector('h1').textContent = new URLSearchParams(location.search).get('part');
  document.querySelector('p').textContent = api.GetValue('cmi.entry') === 'resume' ? 'Note: ' + api.GetValue('cmi.suspend_data') : 'Begun again';
  const button = (name, work) => {
    const b = document.createElement('button');
    b.textContent = name;
    b.onclick = work;
    document.body.append(b);
  };
  const end = (success, next) => () => {
    api.SetValue('cmi.success_status', success);
    api.SetValue('cmi.score.scaled', success === 'passed' ? '1' : '0.2');
    api.SetValue('cmi.completion_status', 'completed');
    api.SetValue('cmi.exit', 'normal');
    api.SetValue('adl.nav.request', next);
    api.Terminate('');
  };
  button('Right', end('passed', 'continue'));
  button('Wrong', end('failed', 'continue'));
  button('Note', () => { api.SetValue('cmi.suspend_data', 'half way'); api.SetValue('cmi.exit', 'suspend'); api.Commit(''); });
</script></html>`;
const part = (id: string, title: string, rules: string) =>
  `<item identifier="${id}" identifierref="page" parameters="?part=${id}"><title>${title}</title><imsss:sequencing>${rules}<imsss:deliveryControls completionSetByContent="true" objectiveSetByContent="true"/></imsss:sequencing></item>`;
const rule = (kind: string, condition: string, action: string) =>
  `<imsss:sequencingRules><imsss:${kind}><imsss:ruleConditions><imsss:ruleCondition ${condition}/></imsss:ruleConditions><imsss:ruleAction action="${action}"/></imsss:${kind}></imsss:sequencingRules>`;
/** Learners who know the topic skip the lesson; the check is repeated until it is passed, and then the course ends. */
const manifest = `<?xml version="1.0"?><manifest identifier="seq" version="1" xmlns="http://www.imsglobal.org/xsd/imscp_v1p1" xmlns:adlcp="http://www.adlnet.org/xsd/adlcp_v1p3" xmlns:adlseq="http://www.adlnet.org/xsd/adlseq_v1p3" xmlns:imsss="http://www.imsglobal.org/xsd/imsss">
<metadata><schema>ADL SCORM</schema><schemaversion>2004 4th Edition</schemaversion></metadata>
<organizations default="org"><organization identifier="org"><title>Hoists</title>
${part('before', 'What do you know?', '<imsss:objectives><imsss:primaryObjective objectiveID="knows"><imsss:mapInfo targetObjectiveID="known" writeSatisfiedStatus="true"/></imsss:primaryObjective></imsss:objectives>')}
${part('lesson', 'The lesson', `${rule('preConditionRule', 'condition="satisfied" referencedObjective="learnt"', 'skip')}<imsss:rollupRules rollupObjectiveSatisfied="false" objectiveMeasureWeight="0"/><imsss:objectives><imsss:primaryObjective/><imsss:objective objectiveID="learnt"><imsss:mapInfo targetObjectiveID="known"/></imsss:objective></imsss:objectives><adlseq:rollupConsiderations requiredForCompleted="ifNotSkipped"/>`)}
${part('check', 'The check', `<imsss:sequencingRules><imsss:preConditionRule><imsss:ruleConditions><imsss:ruleCondition condition="always"/></imsss:ruleConditions><imsss:ruleAction action="hiddenFromChoice"/></imsss:preConditionRule><imsss:postConditionRule><imsss:ruleConditions><imsss:ruleCondition condition="satisfied"/></imsss:ruleConditions><imsss:ruleAction action="exitAll"/></imsss:postConditionRule><imsss:postConditionRule><imsss:ruleConditions><imsss:ruleCondition condition="objectiveStatusKnown"/></imsss:ruleConditions><imsss:ruleAction action="retry"/></imsss:postConditionRule></imsss:sequencingRules>`)}
<imsss:sequencing><imsss:controlMode choice="true" flow="true"/></imsss:sequencing></organization></organizations>
<resources><resource identifier="page" type="webcontent" adlcp:scormType="sco" href="sco.html"><file href="sco.html"/></resource></resources></manifest>`;

test('the rules of a course decide what comes next, without the server, over a reload and to the end', async ({ page, browser, server }) => {
  await playInstead(browser, server, await zip({ 'imsmanifest.xml': manifest, 'sco.html': sco }));
  await signIn(page, server, 'aisha.khan@willowbrook.test');
  const card = await keepCourse(page, 'Data protection');
  await card.getByRole('button').first().click();
  await expect(item(page).getByRole('heading', { name: 'before' })).toBeVisible();
  await server.stop();

  const contents = page.getByRole('navigation', { name: 'Contents of the course' });
  const opens = (name: string) => contents.getByRole('button', { name, exact: true });
  await page.getByRole('button', { name: 'Contents of the course' }).click();
  await expect(opens('The check')).toBeDisabled();
  await look(page, 'scorm-rules');
  await page.reload();
  await expect(item(page).getByRole('heading', { name: 'before' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Back', exact: true })).toBeDisabled();
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await expect(item(page).getByRole('heading', { name: 'lesson' })).toBeVisible();
  await page.getByRole('button', { name: 'Back', exact: true }).click();

  // Known already: the lesson is skipped.
  await item(page).getByRole('button', { name: 'Right' }).click();
  await expect(item(page).getByRole('heading', { name: 'check' })).toBeVisible();
  await item(page).getByRole('button', { name: 'Note' }).click();
  await expect(courseSaved(page)).toHaveText('Saved on this device');
  await page.reload();
  await expect(item(page).getByRole('heading', { name: 'check' })).toBeVisible();
  await expect(item(page).getByText('Note: half way')).toBeVisible();

  // Not passed: it is asked for again, from the beginning.
  await item(page).getByRole('button', { name: 'Wrong' }).click();
  await expect(item(page).getByText('Begun again')).toBeVisible();
  await expect(item(page).getByRole('heading', { name: 'check' })).toBeVisible();
  await item(page).getByRole('button', { name: 'Right' }).click();
  await expect(page.getByRole('heading', { name: 'All done here' })).toBeVisible();

  await server.start();
  // As when the device notices the connection; otherwise it retries within 20 s.
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await expect(page.getByText(/Completed on .* with a score of 100 %/)).toBeVisible();
});

test('a course with rules is gone on with on another device, where its rules had led to', async ({ page, browser, server }) => {
  await playInstead(browser, server, await zip({ 'imsmanifest.xml': manifest, 'sco.html': sco }));
  await signIn(page, server, 'aisha.khan@willowbrook.test');
  await course(page, 'Data protection').getByRole('button').first().click();
  await item(page).getByRole('button', { name: 'Right' }).click();
  await expect(item(page).getByRole('heading', { name: 'check' })).toBeVisible();
  await item(page).getByRole('button', { name: 'Note' }).click();
  const address = page.url();
  await page.getByRole('link', { name: 'Back to my courses' }).click();
  await expect(chip(page)).toContainText('All sent');

  const tablet = await newDevice(browser);
  await signIn(tablet.page, server, 'aisha.khan@willowbrook.test');
  await tablet.page.goto(address);
  await expect(item(tablet.page).getByText('Note: half way')).toBeVisible();
  await expect(item(tablet.page).getByRole('heading', { name: 'check' })).toBeVisible();
  await item(tablet.page).getByRole('button', { name: 'Right' }).click();
  await expect(tablet.page.getByText(/Completed on .* with a score of 100 %/)).toBeVisible();

  // What is done can be looked at again, also where it was asked for before the player was there.
  let arrive = (): void => undefined;
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await tablet.context.route('**/player/scorm.html', async (route) => {
    await arrived;
    await route.continue();
  });
  await tablet.page.reload();
  await expect(tablet.page.getByText(/Completed on/)).toBeVisible();
  await tablet.page.getByRole('button', { name: 'Contents of the course' }).click();
  await tablet.page
    .getByRole('navigation', { name: 'Contents of the course' })
    .getByRole('button', { name: /^The lesson/ })
    .click();
  await expect(tablet.page.getByRole('status', { name: 'Opening the course' })).toBeAttached();
  arrive();
  await expect(item(tablet.page).getByRole('heading', { name: 'lesson' })).toBeVisible();
});
