import layout from '#src/ui/page.module.css';
import shapes from '#src/ui/shapes.module.css';
import { useLiveQuery } from '#src/device/use-live-query.ts';
import { useEffect } from 'react';
import { call } from '#src/api/call.ts';
import { useLine } from '#src/device/line.ts';
import { usePersonDb } from '#src/device/use-person-db.ts';
import classes from '#src/features/learning/own-feedback.module.css';
import { feedbackKindWords, feedbackStates, placeWords, problemWords } from '#src/lib/feedback-words.ts';
import { formatDay, formatMoment } from '#src/lib/format.ts';
import { noteServerFeedback } from '#src/offline/kinds/feedback/commands.ts';
import { laneName } from '#src/offline/kinds/lane.ts';
import type { Entry } from '#src/offline/ports.ts';
import type { FeedbackRow } from '#src/offline/store/person-db.ts';
import { Badge } from '#src/ui/badge.tsx';
import { IconAlert, IconOffline, IconSend } from '#src/ui/icons.tsx';

type Line = { row: FeedbackRow; waiting: Entry['state'] | null };

/** The person's feedback on a content, as stored on this device, newest first; updated while online. */
const useOwnFeedback = (content: string): Line[] => {
  const db = usePersonDb();
  const hasLine = useLine();
  useEffect(() => {
    if (!hasLine) return;
    const refresh = async () => {
      const known = new Set((await db.feedback.where('content_id').equals(content).toArray()).filter((f) => f.received_at !== null).map((f) => f.id));
      const answer = await call('GET /content/{id}/feedback', { params: { id: content } }, { quiet: true });
      if (answer.kind === 'ok') await noteServerFeedback(db, answer.data, known);
    };
    // Offline, the stored one is shown.
    refresh().catch(() => undefined);
  }, [db, content, hasLine]);
  const lines = useLiveQuery(async () => {
    const rows = (await db.feedback.where('content_id').equals(content).toArray()).filter((row) => row.kind !== 'evaluation');
    const entries = await db.outbox.where('lane').equals(laneName('feedback', content)).toArray();
    return rows.map((row): Line => ({ row: { ...row }, waiting: entries.find((e) => e.id === row.id)?.state ?? null }));
  }, [db, content]);
  return (lines ?? []).sort((a, b) => (a.row.at < b.row.at ? 1 : -1));
};

const FeedbackStatus = ({ said: { row, waiting } }: { said: Line }) => {
  const hasLine = useLine();
  if (waiting === 'needs-person')
    return (
      <Badge tone="danger" icon={IconAlert}>
        Not accepted
      </Badge>
    );
  if (waiting !== null)
    return (
      <Badge tone="plain" icon={hasLine ? IconSend : IconOffline}>
        {waiting === 'sending' ? 'Sending' : hasLine ? 'Waiting to be sent' : 'Saved on this device'}
      </Badge>
    );
  const { words, tone } = feedbackStates[row.state];
  return <Badge tone={tone}>{words}</Badge>;
};

/** The person's feedback on a content, with the answers. Hidden if there is none. */
export const OwnFeedback = ({ content }: { content: string }) => {
  const feedback = useOwnFeedback(content);
  if (feedback.length === 0) return null;
  return (
    <section className={classes.said} aria-label="What you said of this course">
      <h2>What you said of this course</h2>
      <ul>
        {feedback.map((one) => {
          const { id, kind, rating, what, message, place, at, answers } = one.row;
          return (
            <li key={id} className={`app-card ${classes.one}`}>
              <div className={layout.line}>
                <strong>{kind === 'rating' ? `Rated ${rating} of 5` : feedbackKindWords[kind]}</strong>
                <FeedbackStatus said={one} />
                <span className={layout.soft}>{formatMoment(at)}</span>
              </div>
              {place && <p className={layout.soft}>{placeWords(place)}</p>}
              {what && <p>{problemWords[what]}</p>}
              {message && <p className={shapes.text}>{message}</p>}
              {answers.map((a) => (
                <div key={a.id} className={classes.answer}>
                  <strong>{a.by?.name ?? 'The author'}</strong>
                  <span className={layout.soft}>
                    {' '}
                    · {feedbackStates[a.state].words}
                    {a.mended_in === null ? '' : ` in version ${a.mended_in}`} · {formatDay(a.at)}
                  </span>
                  {a.message && <p className={shapes.text}>{a.message}</p>}
                </div>
              ))}
            </li>
          );
        })}
      </ul>
    </section>
  );
};
