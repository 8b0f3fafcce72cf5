import type { MatrixExchanged, MatrixRequest } from '#contract/matrix/messages.ts';
import { fromBase64 } from '#contract/rules/bytes.ts';
import { call } from '#src/api/call.ts';

/** What a matrix is loaded over: a web socket, or plain requests that say the same. */
export type MatrixLine = Pick<WebSocket, 'readyState' | 'send' | 'close'> & {
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number }) => void) | null;
};

const lostCode = 1006;
const refusedCode = 4403;

/**
 * The conversation of a matrix's socket over plain requests. Each repeats the subscription; if people or courses have changed since the
 * first, the line closes as a lost connection does, and the matrix is compared again.
 */
export const requestLine = (matrixID: string): MatrixLine => {
  const controller = new AbortController();
  let known: string | undefined;
  let head: string | null = null;
  let waiting: Extract<MatrixRequest, { type: 'fetch_data' }>[] = [];
  let subscribing = false;
  let isBusy = false;
  const end = (code: number) => {
    if (controller.signal.aborted) return;
    controller.abort();
    line.onclose?.({ code });
  };
  const pass = ({ messages }: MatrixExchanged, withSubscription: boolean) => {
    // The answers to the repeated subscription come first.
    const begins = withSubscription ? 0 : messages.findIndex((m) => 'base64' in m || m.json.type === 'data');
    for (const message of begins < 0 ? [] : messages.slice(begins))
      line.onmessage?.({ data: 'base64' in message ? fromBase64(message.base64).buffer : JSON.stringify(message.json) });
  };
  const exchange = async () => {
    const [fetching, first] = [waiting, subscribing];
    waiting = [];
    subscribing = false;
    const body = { fetch: fetching, ...(known === undefined ? {} : { known_people: known }) };
    const answer = await call('POST /matrices/{id}/exchange', { params: { id: matrixID }, body }, { quiet: true, signal: controller.signal });
    if (controller.signal.aborted) return;
    if (answer.kind === 'unreachable') return end(lostCode);
    if (answer.kind === 'refused') {
      const { code, message } = answer.error;
      line.onmessage?.({ data: JSON.stringify({ type: 'error', code, message }) });
      return end(refusedCode);
    }
    head = first ? answer.data.head : head;
    if (head !== answer.data.head) return end(lostCode);
    pass(answer.data, first);
  };
  const go = async () => {
    if (isBusy) return;
    isBusy = true;
    // What is asked for in one go is one request.
    await Promise.resolve();
    while ((subscribing || waiting.length > 0) && !controller.signal.aborted) await exchange().catch(() => end(lostCode));
    isBusy = false;
  };
  const line: MatrixLine = {
    get readyState() {
      return controller.signal.aborted ? WebSocket.CLOSED : WebSocket.OPEN;
    },
    send: (text) => {
      const message = JSON.parse(String(text)) as MatrixRequest;
      if (message.type === 'subscribe') {
        known = message.known_people;
        subscribing = true;
      } else waiting.push(message);
      void go();
    },
    close: () => end(lostCode),
    ...{ onopen: null, onmessage: null, onclose: null },
  };
  queueMicrotask(() => line.onopen?.());
  return line;
};

const refusedKey = 'sockets-refused';
/** For how long a device does not try web sockets again after its network has refused them. */
const rememberedMs = 86_400_000;
export const socketsRefused = (): boolean => {
  const at = Number(globalThis.localStorage?.getItem(refusedKey) ?? 0);
  return at <= Date.now() && Date.now() - at < rememberedMs;
};
export const noteSocketsRefused = (): void => globalThis.localStorage?.setItem(refusedKey, String(Date.now()));
export const forgetSocketsRefused = (): void => globalThis.localStorage?.removeItem(refusedKey);
