import layout from '#src/ui/page.module.css';
import { focusHeading } from '#src/lib/focus-heading.ts';
import type { Tone } from '#src/ui/badge.tsx';
import { ActionIcon, Progress } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import classes from '#src/features/learning/attempt.module.css';
import { SayFoot } from '#src/features/learning/say-foot.tsx';
import type { AttemptView, Saved } from '#src/features/learning/use-attempt.ts';
import { IconAlert, IconCheck, IconChevronLeft, IconLock, IconMenu, IconSend, IconTablet, IconText } from '#src/ui/icons.tsx';
import topicLook from '#src/screens/block-view.module.css';

/** A page, a quiz or a package item in the table of contents. */
export type PlayerStep = {
  key: string;
  title: string;
  child: boolean /** Cannot be opened now because of the course's rules. */;
  locked?: boolean;
  /** Not required to complete the course. */
  optional?: boolean;
};

const savedText: Record<Saved, { text: string; icon: typeof IconCheck; tone: Tone }> = {
  saved: { text: 'Saved on this device', icon: IconTablet, tone: 'plain' },
  sending: { text: 'Sending', icon: IconSend, tone: 'plain' },
  received: { text: 'Received', icon: IconCheck, tone: 'ok' },
  'needs-you': { text: 'Needs you', icon: IconAlert, tone: 'danger' },
};

const sizes = [1, 1.15, 1.35] as const;

type Props = {
  view: AttemptView;
  sections: readonly { title: string; steps: readonly PlayerStep[] }[];
  doneKeys: ReadonlySet<string>;
  current: string;
  onGoTo(key: string): void;
  /** Back and Next, within reach of the thumb. */
  footer: ReactNode;
  children: ReactNode;
};

/** The frame of every course: title, save state, contents, Back and Next. */
export const PlayerFrame = ({ view, sections, doneKeys, current, onGoTo, footer, children }: Props) => {
  const [outline, setOutline] = useState(false);
  const [size, setSize] = useState(() => Number(localStorage.getItem('reading-size') ?? 0) % sizes.length);
  const { attempt } = view;
  const saved = savedText[view.saved];
  const SavedIcon = saved.icon;
  const contents = useRef<HTMLElement>(null);
  const toContents = useRef<HTMLButtonElement>(null);
  // On a phone the contents cover the course, so navigating within the course closes them.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page of the course was opened.
  useEffect(() => setOutline(false), [current]);
  const article = useRef<HTMLElement>(null);
  const shown = useRef(current);
  // So that a screen reader announces the page that was turned to; the first one is announced by the route.
  useEffect(() => {
    if (shown.current !== current) focusHeading(article.current);
    shown.current = current;
  }, [current]);
  useEffect(() => {
    if (!outline) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      setOutline(false);
      toContents.current?.focus();
    };
    const onPress = (event: Event) => {
      const on = event.target as Node;
      if (!contents.current?.contains(on) && !toContents.current?.contains(on)) setOutline(false);
    };
    // A tap inside the package's frame is only noticeable by the change of focus.
    const onBlur = () => document.activeElement instanceof HTMLIFrameElement && setOutline(false);
    addEventListener('keydown', onKey);
    addEventListener('pointerdown', onPress);
    addEventListener('blur', onBlur);
    return () => {
      removeEventListener('keydown', onKey);
      removeEventListener('pointerdown', onPress);
      removeEventListener('blur', onBlur);
    };
  }, [outline]);
  const goTo = (key: string) => {
    setOutline(false);
    onGoTo(key);
  };
  return (
    <div className={classes.player} style={{ '--reading': sizes[size] } as React.CSSProperties}>
      <header className={classes.top}>
        <div className={classes.courseName}>
          <Link to="/" className={classes.back} aria-label="Back to my courses">
            <IconChevronLeft />
          </Link>
          <span>{view.document.title}</span>
        </div>
        <span className={`${layout.badge} ${classes.saved}`} data-state={view.saved} data-tone={saved.tone} role="status" aria-live="polite">
          <SavedIcon size={18} />
          {saved.text}
        </span>
        {/* A package sets its own type. */}
        {!view.document.package && (
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label="Larger or smaller text"
            onClick={() => {
              const nextSize = (size + 1) % sizes.length;
              setSize(nextSize);
              localStorage.setItem('reading-size', String(nextSize));
            }}
          >
            <IconText />
          </ActionIcon>
        )}
        <ActionIcon
          variant="subtle"
          color="gray"
          ref={toContents}
          className={classes.outlineButton}
          aria-label="Contents of the course"
          aria-expanded={outline}
          onClick={() => setOutline(!outline)}
        >
          <IconMenu />
        </ActionIcon>
        <Progress className={classes.courseProgress} value={view.percent} size="sm" aria-label={`Course progress ${view.percent} %`} />
      </header>
      <nav ref={contents} className={classes.outline} data-open={outline || undefined} aria-label="Contents of the course">
        {sections.map((section) => (
          <section key={section.title}>
            <h2>{section.title}</h2>
            <ol>
              {section.steps.map((s) => (
                <li key={s.key}>
                  <button
                    type="button"
                    onClick={() => goTo(s.key)}
                    aria-current={s.key === current ? 'step' : undefined}
                    data-child={s.child || undefined}
                    disabled={s.locked && s.key !== current}
                  >
                    <span className={classes.tick} data-done={doneKeys.has(s.key) || undefined}>
                      {doneKeys.has(s.key) ? <IconCheck size={16} /> : s.locked && s.key !== current ? <IconLock size={16} /> : null}
                    </span>
                    <span>
                      {s.title}
                      {s.optional && <span className={classes.optional}> (not required)</span>}
                    </span>
                    {doneKeys.has(s.key) && <span className="visually-hidden">, done</span>}
                  </button>
                </li>
              ))}
            </ol>
          </section>
        ))}
        <section>
          <h2>Result</h2>
          <ol>
            <li>
              <button type="button" onClick={() => goTo('result')} aria-current={current === 'result' ? 'step' : undefined}>
                <span className={classes.tick} data-done={attempt.result !== null || undefined}>
                  {attempt.result && <IconCheck size={16} />}
                </span>
                <span>{view.percent} % done</span>
              </button>
            </li>
          </ol>
        </section>
      </nav>
      <article ref={article} className={classes.content}>
        {view.ofSomeoneElse && (
          <p className={topicLook.missing} role="status">
            <IconAlert size={20} /> This is someone else’s course. You can view it but not change it.
          </p>
        )}
        {attempt.closed && !view.ofSomeoneElse && (
          <p className={topicLook.missing} role="status">
            <IconAlert size={20} /> This try is closed because a newer one was started. You can view it but not change it.{' '}
            <Link to="/">Go to my courses</Link>
          </p>
        )}
        {children}
        {!view.ofSomeoneElse && <SayFoot view={view} part={current} />}
      </article>
      {footer && <footer className={classes.bottom}>{footer}</footer>}
    </div>
  );
};
