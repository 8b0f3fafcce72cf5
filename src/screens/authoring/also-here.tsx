import { useEffect, useState } from 'react';
import { type OtherAuthor, type PresenceKind, presenceTimes } from '#contract/entities/presence.ts';
import { call } from '#src/api/call.ts';
import { alsoHereWords } from '#src/screens/authoring/also-here-words.ts';
import classes from '#src/screens/authoring/authoring.module.css';
import layout from '#src/ui/page.module.css';

/** Who else has something open for editing, polled while this page is open; null if unknown. */
const useOthers = (kind: PresenceKind, id: string): readonly OtherAuthor[] | null => {
  const [others, setOthers] = useState<readonly OtherAuthor[] | null>([]);
  useEffect(() => {
    let tab = crypto.randomUUID();
    const stop = new AbortController();
    const tell = async () => {
      const answer = await call('POST /content-presence', { body: { kind, id, tab } }, { signal: stop.signal, quiet: true });
      if (!stop.signal.aborted) setOthers(answer.kind === 'ok' ? answer.data : answer.kind === 'unreachable' ? null : []);
    };
    const leave = () => void call('POST /content-presence', { body: { kind, id, tab, leaving: true } }, { keepalive: true, quiet: true });
    const again = () => void tell();
    void tell();
    const timer = setInterval(again, presenceTimes.everyMs);
    addEventListener('pagehide', leave);
    // After the browser's back button: the earlier presence has ended, so this is a new one.
    const shown = ({ persisted }: PageTransitionEvent) => {
      if (persisted) tab = crypto.randomUUID();
      again();
    };
    addEventListener('pageshow', shown);
    addEventListener('online', again);
    return () => {
      clearInterval(timer);
      removeEventListener('pagehide', leave);
      removeEventListener('pageshow', shown);
      removeEventListener('online', again);
      stop.abort();
      leave();
    };
  }, [kind, id]);
  return others;
};

/** Shows in an editor who else is editing the same thing. `what`: the kind of thing, in a sentence. */
export const AlsoHere = ({ kind, id, what }: { kind: PresenceKind; id: string; what: string }) => {
  const others = useOthers(kind, id);
  const words =
    others === null ? `Without a connection it cannot be known whether somebody else is editing this ${what}.` : alsoHereWords(others, what);
  // Always rendered, so that screen readers announce changes.
  return (
    <div role="status" aria-label="Who else is editing" className={classes.others}>
      {words && (
        <p className={`app-card ${layout.notice}`}>
          {words} {others !== null && 'The person who saves second is shown both versions.'}
        </p>
      )}
    </div>
  );
};
