import layout from '#src/ui/page.module.css';
import { Button, Group, Rating, Textarea, Title } from '@mantine/core';
import { useEffect, useId, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { useUnsaved } from '#src/screens/unsaved.ts';
import type { ContentDocument } from '#contract/entities/content.ts';
import { protocol } from '#contract/protocol.ts';
import { scoreBand } from '#contract/rules/score-band.ts';
import { pathTo } from '#contract/site-map.ts';
import { useSession } from '#src/access/session.ts';
import { useBrand } from '#src/access/brand.ts';
import { usePersonDb } from '#src/device/use-person-db.ts';
import classes from '#src/features/learning/attempt.module.css';
import { CertificateButton } from '#src/features/learning/certificate-button.tsx';
import { OwnFeedback } from '#src/features/learning/own-feedback.tsx';
import { retakeCourse } from '#src/device/start-course.ts';
import type { AttemptView } from '#src/features/learning/use-attempt.ts';
import { formatDay } from '#src/lib/format.ts';
import { rateContent } from '#src/offline/kinds/feedback/commands.ts';
import { IconCheck, IconClock } from '#src/ui/icons.tsx';
import { notify } from '#src/ui/notify.ts';

/** Confetti when a course has just been completed, unless the person prefers reduced motion. */
const celebrate = async () => {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  const { default: confetti } = await import('canvas-confetti');
  const { size, dropRate } = protocol.confetti;
  void confetti({
    particleCount: 12 * dropRate,
    spread: 80,
    scalar: size / 10,
    gravity: dropRate / 10,
    origin: { y: 0.3 },
    disableForReducedMotion: true,
  });
};

const Feedback = ({ document }: { document: ContentDocument }) => {
  const db = usePersonDb();
  const [rating, setRating] = useState(0);
  const [message, setMessage] = useState('');
  const [state, setState] = useState<'open' | 'sending' | 'done'>('open');
  useUnsaved(useId(), state !== 'done' && message.trim() !== '');
  const send = async () => {
    setState('sending');
    try {
      await rateContent(db, document, { rating, message: message.trim() });
      setState('done');
    } catch {
      setState('open');
      notify('error', 'This could not be saved on this device. Your feedback is still here; please try again.');
    }
  };
  if (state === 'done')
    return (
      <p role="status">
        <IconCheck size={20} /> Thank you. Your feedback is saved, and sent as soon as there is a connection.
      </p>
    );
  return (
    <section className={`app-card ${classes.question} ${classes.afterResult}`} aria-label="Feedback">
      <h2>How was this course?</h2>
      <Rating value={rating} onChange={setRating} size="xl" getSymbolLabel={(n) => `${n} of 5 stars`} />
      <Textarea
        label="What could be better? (optional)"
        description="Your name is shown with what you write. Stars alone are only counted."
        rows={3}
        value={message}
        maxLength={2000}
        onChange={(e) => setMessage(e.currentTarget.value)}
      />
      <Button variant="default" onClick={send} loading={state === 'sending'} disabled={rating === 0}>
        Send feedback
      </Button>
    </section>
  );
};

/** The end of a course: the result, or what is still missing. */
export const ResultView = ({
  view,
  missing,
  onGoTo,
  confirm = null,
}: {
  view: AttemptView;
  missing: { key: string; title: string }[];
  onGoTo: (key: string) => void;
  /** For a course whose learner confirms completion. */
  confirm?: (() => void) | null;
}) => {
  const { attempt, document, waiting } = view;
  const brand = useBrand();
  const db = usePersonDb();
  const user = useSession();
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);
  const result = attempt.result;
  const notPassed = new Map(
    document.quizzes.flatMap(({ id, pass_percent }) => {
      const graded = view.submissions
        .filter((s) => s.quiz_id === id)
        .sort((a, b) => a.try_no - b.try_no)
        .at(-1)?.graded;
      return graded && !graded.passed && missing.some(({ key }) => key === id)
        ? [[id, `Not passed: ${graded.score} %, ${pass_percent} % needed`] as const]
        : [];
    }),
  );
  const unmarked = view.submissions.some((s) => s.graded === null);
  const seen = useRef(result !== null && waiting === 0 && Date.now() - Date.parse(attempt.completed_at ?? '') > 60_000);
  useEffect(() => {
    if (result && !seen.current) {
      seen.current = true;
      void celebrate();
    }
  }, [result]);
  const retake = async () => {
    if (!user) return;
    setBusy(true);
    const again = await retakeCourse(db, user, attempt);
    setBusy(false);
    if (again.ok) void navigate(pathTo('attempt-by-attemptid', { attemptId: again.value }));
    else notify('error', again.message);
  };
  const band =
    attempt.score === null ? null : scoreBand(attempt.score, { green: brand.greenScoreBandLowerMargin, amber: brand.amberScoreBandLowerMargin });
  return (
    <section className={classes.page} aria-label="Result">
      <Title order={1}>
        {result
          ? 'Course completed'
          : notPassed.size > 0
            ? 'Not passed yet'
            : missing.length > 0
              ? 'Nearly there'
              : confirm
                ? 'Have you finished?'
                : 'All done here'}
      </Title>
      {result ? (
        <div className={classes.verdict} data-tone="ok" role="status">
          <IconCheck size={36} />
          <div>
            <strong>{document.title}</strong>
            <p>
              Completed on {formatDay(result.completed_at)}
              {attempt.score !== null ? (
                <>
                  {' '}
                  with a score of <b data-band={band ?? undefined}>{attempt.score} %</b>
                </>
              ) : null}
              . {result.expires_at ? `Renew by ${formatDay(result.expires_at)}.` : ''}
            </p>
            <p>It is in your training record.</p>
          </div>
        </div>
      ) : missing.length > 0 ? (
        <>
          <p>Still to do:</p>
          <ul className={`${layout.list} ${classes.missingList}`}>
            {missing.map((m) => (
              <li key={m.key}>
                <Button variant="light" mih={44} py="xs" classNames={{ label: classes.wholeTitle }} onClick={() => onGoTo(m.key)}>
                  {m.title}
                </Button>
                {notPassed.has(m.key) && <p role="status">{notPassed.get(m.key)}</p>}
              </li>
            ))}
          </ul>
        </>
      ) : confirm ? (
        <>
          <p>This course does not report its own completion. Confirm here when you have finished all of it.</p>
          <Button onClick={confirm}>I have finished this course</Button>
        </>
      ) : (
        <div className={classes.verdict} data-tone="warning" role="status">
          <IconClock size={36} />
          <div>
            <strong>{waiting > 0 ? 'Saved on this device' : 'Received'}</strong>
            <p>
              {unmarked
                ? 'Your quiz will be marked as soon as this device has a connection. The result and certificate will then appear here.'
                : 'Your result will appear here as soon as this device has a connection.'}
            </p>
          </div>
        </div>
      )}
      <Group mt="md">
        {result?.certificate && <CertificateButton resultId={result.id} courseTitle={document.title} />}
        {!attempt.closed && attempt.known && (result || (missing.length === 0 && !confirm)) && (
          <Button variant="default" onClick={retake} loading={busy}>
            Take it again
          </Button>
        )}
        <Button component={Link} to="/" variant={result ? 'filled' : 'default'}>
          Back to my courses
        </Button>
      </Group>
      {result && !view.ofSomeoneElse && <Feedback document={document} />}
      {!view.ofSomeoneElse && <OwnFeedback content={document.id} />}
    </section>
  );
};
