import { greeting } from '#contract/bridge.ts';

/** Interval at which an unresponsive page is greeted again. */
const againMs = 250;

/**
 * Greets the page in a loaded frame until it answers. In WebKit a frame fires its load event before its scripts listen, so
 * a single greeting can be lost. Each greeting has its own channel; the page uses the first it receives, and `prepare` is
 * called with each. Returns a function that stops it.
 */
export const greetFrame = (frame: HTMLIFrameElement, origin: string, prepare: (port: MessagePort) => void): (() => void) => {
  const greet = () => {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', stop, { once: true });
    prepare(port1);
    frame.contentWindow?.postMessage(greeting, origin, [port2]);
  };
  const again = setInterval(greet, againMs);
  const stop = () => clearInterval(again);
  greet();
  return stop;
};
