import { serverMark } from '#contract/protocol.ts';
import { placeHeaders } from '#src/api/acting-as.ts';
import { apiBase } from '#src/api/transport.ts';

/** The server sends something every 15 s: after this long without anything, the stream counts as broken. */
const silentMs = 40_000;

/**
 * Server-sent events of one name, each passed on as it arrives; with our own headers, which `EventSource` cannot send. Resolves when the
 * stream has ended: `ended` if the server says that the session is over, `broken` otherwise.
 */
export const readEvents = async <T>(path: string, name: string, tell: (data: T) => void, signal: AbortSignal): Promise<'ended' | 'broken'> => {
  const silence = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const heard = () => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(), silentMs);
  };
  try {
    heard();
    const response = await fetch(`${apiBase}${path}`, {
      headers: { Accept: 'text/event-stream', ...placeHeaders() },
      ...{ credentials: 'include', redirect: 'manual', cache: 'no-store' },
      signal: AbortSignal.any([signal, silence.signal]),
    });
    if (response.status === 401) return 'ended';
    if (!response.ok || !response.body || response.headers.get(serverMark.header) !== serverMark.value) return 'broken';
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let unread = '';
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return 'broken';
      heard();
      const events = (unread + value).split('\n\n');
      unread = events.pop() ?? '';
      for (const event of events) {
        const [, kind, data] = /^event: (\w+)\ndata: (.*)$/s.exec(event) ?? [];
        if (kind === 'end') return 'ended';
        if (kind === name && data !== undefined) tell(JSON.parse(data) as T);
      }
    }
  } catch {
    return 'broken';
  } finally {
    clearTimeout(timer);
  }
};
