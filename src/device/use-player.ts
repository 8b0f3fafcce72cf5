import { useCallback, useEffect, useRef, useState } from 'react';
import { bridgeLimits, FromPlayer, type ToPlayer } from '#contract/bridge.ts';
import { contentFolder } from '#contract/package-addresses.ts';
import { Id } from '#contract/entities/fields.ts';
import type { AuthUser } from '#contract/entities/user.ts';
import { jsonBytes } from '#contract/rules/bytes.ts';
import { unholdableIn } from '#contract/rules/holdable-text.ts';
import { greetFrame } from '#src/device/greet-frame.ts';
import { openPackage } from '#src/lib/open-package.ts';

/** A closing player may still send a final report. */
const lastWordMs = 5000;
const stalledMs = 8000;

/** Sandbox permissions of a player frame: everything a course needs except navigating the app. */
export const playerSandbox = {
  sandbox: 'allow-scripts allow-same-origin allow-forms allow-popups allow-modals allow-downloads',
  allow: 'autoplay; fullscreen; unload',
} as const;
export const playerPage = (user: AuthUser | null, kind: 'scorm' | 'h5p'): string | null =>
  user?.content_origin ? `${user.content_origin}${contentFolder}${kind}.html` : null;

/** A validated message from the player page, or why it was refused. */
export const wordFrom = (data: unknown): FromPlayer | 'too-large' | 'unheard' => {
  if (unholdableIn(data, bridgeLimits.depth).some((f) => f.why === 'depth') || jsonBytes(data) > bridgeLimits.messageBytes) return 'too-large';
  return FromPlayer.safeParse(data).data ?? 'unheard';
};

/**
 * A player page and its channel. `hear` receives validated messages; work that cannot be accepted is a `problem`. `stalled`
 * means that the page does not respond.
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
    // Work that cannot be accepted is never dropped silently: the person is told, and the package at its next call.
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
      // Rate limit: the newest message of each kind supersedes earlier ones and is handled a second later. Activity reports do
      // not supersede each other and are all handled, up to the limit per second.
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
  // Reports written while this tab is closing are collected at the next start.
  useEffect(() => {
    const end = openPackage();
    return () => {
      end();
      // Cleans up after the package, for whoever uses this device next.
      setTimeout(() => void import('#src/device/framed-keeper.ts').then((m) => m.hearLastWords()).catch(() => undefined), lastWordMs);
    };
  }, []);
  // A player that can be reached answers immediately; otherwise the problem is reported.
  useEffect(() => {
    if (ready) return;
    const wait = setTimeout(() => setStalled(true), stalledMs);
    return () => clearTimeout(wait);
  }, [ready]);
  return { frame, connect, say, stalled: stalled && !ready };
};
