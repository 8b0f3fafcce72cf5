import type { Page } from '@playwright/test';
import { launch } from '#tests/bench/chromium.ts';
import { servePage } from '#tests/bench/in-page.ts';
import { median, quantile, report } from '#tests/bench/report.ts';

const rounds = Number(process.env.ROUNDS ?? 9);
const letters = 150;
const origin = 'http://localhost:39997';
const textOf = (page: Page) => page.getByRole('textbox', { name: 'Text of the topic' });

/** From a tap that opens the editor until its text is laid out. */
const open = async (page: Page, search: string): Promise<number> => {
  await page.goto(`${origin}/bench/?later&${search}`);
  await page.getByRole('button', { name: 'Open' }).waitFor();
  return page.evaluate(
    async (pictures) => {
      const began = performance.now();
      document.querySelector('button')?.click();
      while (!document.querySelector('.ProseMirror h2') || document.querySelectorAll('.ProseMirror img').length < pictures)
        await new Promise((next) => setTimeout(next));
      document.body.getBoundingClientRect();
      return performance.now() - began;
    },
    search === 'pictures' ? 20 : 0,
  );
};

/** The time of each of many letters, from the key until the editor has updated the page and its layout. */
const type = async (page: Page): Promise<number[]> => {
  const client = await page.context().newCDPSession(page);
  await textOf(page).locator(':scope > p').nth(10).click();
  await page.evaluate(() => {
    const times: number[] = [];
    let began = 0;
    document.addEventListener('keydown', () => (began = performance.now()), true);
    // The editor takes what was typed from the page in a microtask, and tells it to the page in the next one. Painting is the browser’s.
    const soon = (work: () => void) => queueMicrotask(() => queueMicrotask(work));
    document.addEventListener('input', () =>
      soon(() => {
        document.body.getBoundingClientRect();
        times.push(performance.now() - began);
      }),
    );
    Object.assign(window, { times });
  });
  await client.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  await page.keyboard.type('as they all do '.repeat(letters / 15), { delay: 40 });
  await client.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  return page.evaluate(() => (window as unknown as { times: number[] }).times);
};

/** Processor time of the page's scripts and layout per letter, which a busy machine does not affect. */
const workPerLetter = async (page: Page): Promise<number> => {
  const client = await page.context().newCDPSession(page);
  await client.send('Performance.enable', { timeDomain: 'threadTicks' });
  const worked = async () => {
    const { metrics } = await client.send('Performance.getMetrics');
    return ['ScriptDuration', 'LayoutDuration', 'RecalcStyleDuration'].reduce(
      (sum, name) => sum + (metrics.find((m) => m.name === name)?.value ?? 0),
      0,
    );
  };
  const before = await worked();
  await page.keyboard.type('as they all do '.repeat(letters / 15), { delay: 40 });
  return (1000 * ((await worked()) - before)) / letters;
};

/**
 * The editor of topics: 2,000 words with 20 pictures beside the same words alone, opened in turns, target at most 1.5 times; and typing in
 * the middle of them at 4× CPU throttling, target 16 ms for 95 of 100 letters.
 */
export const run = async () => {
  const browser = await launch();
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  await servePage(context, origin, 'editor-page');
  const page = await context.newPage();
  const times = { text: [] as number[], pictures: [] as number[] };
  for (let i = 0; i < rounds; i++)
    for (const which of i % 2 ? (['text', 'pictures'] as const) : (['pictures', 'text'] as const)) times[which].push(await open(page, which));
  const [text, pictures] = [median(times.text), median(times.pictures)];
  report('2,000 words opened in the editor', text, 'ms', null, '');
  report('with 20 pictures', pictures, 'ms', pictures / text, 'the words alone, target 1.5');
  await open(page, 'pictures');
  const keys = await type(page);
  if (keys.length < letters * 0.9) throw new Error(`${keys.length} of ${letters} letters were typed`);
  const slow = quantile(keys, 0.95);
  report('a letter typed at 4×, 95 of 100', slow, 'ms', slow / 16, 'target 16 ms');
  report('a letter typed at 4×, half of them', median(keys), 'ms', median(keys) / 16, 'target 16 ms');
  const work = await workPerLetter(page);
  report('processor time for a letter, not throttled', work, 'ms', work / (16 / 4), 'target 4 ms');
  await browser.close();
};
