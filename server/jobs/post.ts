import type { Services } from '#server/services.ts';

const lookEveryMs = 30_000;

/**
 * Sends what waits, one mail after another, no more than `MAIL_PER_MINUTE`: mail servers shut out who writes to thousands at once.
 * Answers what stops it; a mail that is on its way is waited for.
 */
export const keepPost = ({ mail, config, log }: Pick<Services, 'mail' | 'config' | 'log'>): (() => Promise<void>) => {
  if (mail.keepsMail) return async () => {};
  const apartMs = 60_000 / config.MAIL_PER_MINUTE;
  let stopped = false;
  let underWay: Promise<void> | null = null;
  let wake = () => {};
  const pause = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, apartMs);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const drain = async () => {
    while (!stopped && (await mail.sendNext())) await pause();
  };
  const run = () => {
    underWay ??= drain()
      .catch((error: unknown) => log.error({ err: error }, 'mail could not be sent'))
      .finally(() => {
        underWay = null;
      });
  };
  mail.onStored(run);
  const timer = setInterval(run, lookEveryMs);
  timer.unref();
  run();
  return async () => {
    stopped = true;
    clearInterval(timer);
    wake();
    await underWay;
  };
};
