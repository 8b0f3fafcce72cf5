import { useCallback, useEffect, useRef, useState } from 'react';
import { bridgeLimits, FromPlayer, type ToPlayer } from '#contract/bridge.ts';
import { contentFolder } from '#contract/package-addresses.ts';
import { Id } from '#contract/entities/fields.ts';
import type { AuthUser } from '#contract/entities/user.ts';
import { jsonBytes } from '#contract/rules/bytes.ts';
import { unholdableIn } from '#contract/rules/holdable-text.ts';
import { greetFrame } from '#src/device/greet-frame.ts';
import { noteOpenPackage } from '#src/lib/open-package.ts';

/** A player that is being closed may still have a word to say. */
const lastWordMs = 5000;
const stalledMs = 8000;

/** What a player page may do in its frame: everything a course needs, and never navigate the app. */
export const playerSandbox = {
  sandbox: 'allow-scripts allow-same-origin allow-forms allow-popups allow-modals allow-downloads',
  allow: 'autoplay; fullscreen; unload',
} as const;
export const playerPage = (user: AuthUser | null, kind: 'scorm' | 'h5p'): string | null =>
  user?.content_origin ? `${user.content_origin}${contentFolder}${kind}.html` : null;

/** What a player page says, checked; or why it cannot be taken. */
export const wordFrom = (data: unknown): FromPlayer | 'too-large' | 'unheard' => {
  if (unholdableIn(data, bridgeLimits.depth).some((f) => f.why === 'depth') || jsonBytes(data) > bridgeLimits.messageBytes) return 'too-large';
  return FromPlayer.safeParse(data).data ?? 'unheard';
};

/**
 * One player page and the channel to it. `hear` gets what has been checked; work that cannot be taken is a `problem`. `stalled`
 * says that the page cannot be reached.
 */
export const usePlayer = (page: string, hear: (word: FromPlayer, say: (word: ToPlayer) => void) => void) => {
  const frame = useRef<HTMLIFrameElement>(null);
  const port = useRef<MessagePort | null>(null);
  const [ready, setReady] = useState(false);
  const [stalled, setStalled] = useState(false);
  const listener = useRef(hear);
  listener.current = hear;
  const say = useCallback((word: ToPlayer) => port.current?.postMessage(word), []);
  const stopGreeting = useRef<() => void>(() => undefined);
  const prepare = useCallback((port1: MessagePort) => {
    let second = 0;
    let inSecond = 0;
    const late = new Map<string, unknown>();
    const answer = (word: ToPlayer) => port1.postMessage(word);
    // Work that is not taken is never dropped without a word: the person is told, and the package when it next asks.
    const refuse = (data: unknown, problem: 'too-large' | 'unheard') => {
      const { type, session_id } = (data ?? {}) as { type?: unknown; session_id?: unknown };
      if (type !== 'facts' && type !== 'statements') return;
      if (Id.safeParse(session_id).success) answer({ type: 'not-kept', session_id: session_id as string });
      listener.current({ type: 'problem', problem, detail: '' }, answer);
    };
    const take = (data: unknown) => {
      const word = wordFrom(data);
      if (typeof word === 'string') {
        refuse(data, word);
        return;
      }
      if (word.type === 'ready') setReady(true);
      listener.current(word, answer);
    };
    port1.onmessage = ({ data }) => {
      port.current = port1;
      const now = Math.floor(performance.now() / 1000);
      inSecond = now === second ? inSecond + 1 : 1;
      second = now;
      if (inSecond <= bridgeLimits.messagesPerSecond) {
        take(data);
        return;
      }
      // Too much at once: of each kind the newest word says all that the ones before it did, and is heard a second later. Only
      // reports of an activity do not: each is heard, as many as may come in a second.
      const { type, ticks, session_id } = (data ?? {}) as { type?: unknown; ticks?: unknown; session_id?: unknown };
      const kind = type === 'statements' ? `${type} ${session_id} ${ticks}` : type === 'facts' ? `${type} ${session_id}` : String(type);
      if (late.size === 0)
        setTimeout(() => {
          const words = [...late.values()];
          late.clear();
          words.forEach(take);
        }, 1000);
      if (late.has(kind) || late.size < bridgeLimits.reportsWaiting) late.set(kind, data);
      else refuse(data, 'unheard');
    };
  }, []);
  const connect = useCallback(() => {
    stopGreeting.current();
    port.current?.close();
    port.current = null;
    if (frame.current) stopGreeting.current = greetFrame(frame.current, new URL(page).origin, prepare);
  }, [page, prepare]);
  useEffect(
    () => () => {
      stopGreeting.current();
      const last = port.current;
      last?.postMessage({ type: 'close' } satisfies ToPlayer);
      setTimeout(() => last?.close(), lastWordMs);
    },
    [],
  );
  // What a package says while this tab is being closed is asked for by the next start.
  useEffect(() => {
    noteOpenPackage(true);
    return () => noteOpenPackage(false);
  }, []);
  // The player answers at once where it can be reached; where it cannot, somebody has to say so.
  useEffect(() => {
    if (ready) return;
    const wait = setTimeout(() => setStalled(true), stalledMs);
    return () => clearTimeout(wait);
  }, [ready]);
  return { frame, connect, say, stalled: stalled && !ready };
};
