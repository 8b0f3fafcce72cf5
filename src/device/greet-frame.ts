import { greeting } from '#contract/bridge.ts';

/** How often a page that does not answer is greeted again. */
const againMs = 250;

/**
 * Greets the page in a frame, which has loaded, until it answers. In WebKit a frame says that it has loaded before its scripts
 * listen, and a greeting comes to nothing. Each has a channel of its own; the page takes the first that it hears, and `prepare`
 * is given them all. Answers what ends it.
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
