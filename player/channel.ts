import { greeting } from '#contract/bridge.ts';

/**
 * Waits for the app to hand over its channel, once, and says `ready` when `before` is done; answers how to speak to it.
 * What comes is handed on as it is: who hears it checks it.
 */
export const openChannel = (hear: (data: unknown) => void, before: () => Promise<unknown> = () => Promise.resolve()): { say(word: object): void } => {
  let port: MessagePort | null = null;
  addEventListener('message', (event) => {
    if (port || event.source !== parent || event.data !== greeting || !event.ports[0]) return;
    port = event.ports[0];
    port.onmessage = ({ data }) => hear(data);
    const own = port;
    void before()
      .catch(() => undefined)
      .then(() => own.postMessage({ type: 'ready' }));
  });
  return { say: (word) => port?.postMessage(word) };
};
