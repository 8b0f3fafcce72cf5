import { useEffect, useState } from 'react';
import { type OtherAuthor, type PresenceKind, presenceTimes } from '#contract/entities/presence.ts';
import { call } from '#src/api/call.ts';
import { alsoHereWords } from '#src/screens/authoring/also-here-words.ts';
import classes from '#src/screens/authoring/authoring.module.css';
import layout from '#src/ui/page.module.css';

/** Who else has something open to change it, told by the server every now and then while this page is open; null where that cannot be known. */
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
    // Back from another page with the browser's way back: what was left stays left, so that it is another tab.
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

/** Says at an editor who else is editing the same. `what` is what it is called in a sentence. */
export const AlsoHere = ({ kind, id, what }: { kind: PresenceKind; id: string; what: string }) => {
  const others = useOthers(kind, id);
  const words =
    others === null ? `Without a connection it cannot be known whether somebody else is editing this ${what}.` : alsoHereWords(others, what);
  // Always there, so that it is read out when somebody comes.
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
