import { greeting } from '#contract/bridge.ts';

/**
 * Waits for the app's channel, sends `ready` once `before` has resolved, and returns how to send messages. Messages are passed on
 * unchecked; the receiver validates them.
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
