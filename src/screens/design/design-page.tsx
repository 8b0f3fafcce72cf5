import { Button, Checkbox, Stack } from '@mantine/core';
import { type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import type { Answer } from '#contract/entities/content.ts';
import type { DesignTheme, PlayedBlock, PlayedPage } from '#contract/entities/design.ts';
import { filmEnd, isBlockDone, scenarioWay } from '#contract/rules/design.ts';
import { AskedQuestion, type QuestionWork } from '#src/screens/asked-question.tsx';
import { RichText } from '#src/screens/rich-text.tsx';
import classes from '#src/screens/design/design.module.css';
import topicLook from '#src/screens/block-view.module.css';
import { hiddenLabel } from '#src/ui/hidden-label.ts';
import { IconAlert, IconCheck } from '#src/ui/icons.tsx';

type Of<K extends PlayedBlock['kind']> = Extract<PlayedBlock, { kind: K }>;
/** A person's work on the pages of a designed content, and how it is stored. */
export type DesignWork = QuestionWork & {
  person: string;
};
type Props<K extends PlayedBlock['kind']> = { block: Of<K>; work: DesignWork };

const Done = ({ done, words, left }: { done: boolean; words: string; left: string }) => (
  <p className={classes.state} data-done={done || undefined} role="status">
    {done ? (
      <>
        <IconCheck size={18} /> {words}
      </>
    ) : (
      left
    )}
  </p>
);
const Missing = ({ what }: { what: string }) => (
  <p className={topicLook.missing} role="status">
    <IconAlert size={20} /> {what} cannot be shown without a connection. Make the course available offline to download it to this device.
  </p>
);
const optionsOf = (answer: Answer | undefined): string[] => (answer?.kind === 'multiple' ? answer.options : []);
const count = (n: number, of: number, what: string) => `${n} of ${of} ${what}`;

/** Adds one to the opened or turned ones, and records when that was all. */
const useOpened = (block: Of<'picture'> | Of<'cards'>, work: DesignWork, words: string) => {
  const opened = optionsOf(work.answerOf(block.id, false));
  const open = (id: string) => {
    if (work.closed || opened.includes(id)) return;
    const answer: Answer = { kind: 'multiple', options: [...opened, id] };
    void work.keepAnswer(block.id, false, answer, words);
    if (isBlockDone(block, answer)) work.setDone(block.id, words);
  };
  return { opened, open, done: work.isDone(block.id) };
};

const Picture = ({ block, work }: Props<'picture'>) => {
  const [failed, setFailed] = useState(false);
  const [shown, setShown] = useState<string | null>(null);
  const { opened, open, done } = useOpened(block, work, 'Opened a spot of a picture');
  const id = useId();
  const choose = (spot: string) => {
    setShown(shown === spot ? null : spot);
    open(spot);
  };
  if (!block.media) return null;
  return (
    <figure className={classes.figure}>
      <div className={classes.picture}>
        {failed ? (
          <Missing what="This picture" />
        ) : (
          <img src={block.media.url} alt={block.decorative && block.spots.length === 0 ? '' : block.alt} onError={() => setFailed(true)} />
        )}
        {!failed &&
          block.spots.map((spot, i) => (
            <button
              key={spot.id}
              type="button"
              className={classes.spot}
              data-seen={opened.includes(spot.id) || undefined}
              style={{ left: `${spot.x}%`, top: `${spot.y}%` }}
              aria-label={`Spot ${i + 1}: ${spot.title}`}
              aria-expanded={shown === spot.id}
              aria-controls={`${id}-${spot.id}`}
              onClick={() => choose(spot.id)}
            >
              {i + 1}
            </button>
          ))}
      </div>
      {block.caption && <figcaption>{block.caption}</figcaption>}
      {block.spots.length > 0 && (
        <>
          <ol className={classes.spots}>
            {block.spots.map((spot, i) => (
              <li key={spot.id} data-shown={shown === spot.id || undefined}>
                <button type="button" aria-expanded={shown === spot.id} aria-controls={`${id}-${spot.id}`} onClick={() => choose(spot.id)}>
                  <span className={classes.number}>{i + 1}</span> {spot.title}
                  {opened.includes(spot.id) && <span className="visually-hidden">, opened</span>}
                </button>
                <p id={`${id}-${spot.id}`} hidden={shown !== spot.id}>
                  {spot.text}
                </p>
              </li>
            ))}
          </ol>
          <Done done={done} words="All spots opened" left={count(opened.length, block.spots.length, 'spots opened')} />
        </>
      )}
    </figure>
  );
};

const Cards = ({ block, work }: Props<'cards'>) => {
  const { opened, open, done } = useOpened(block, work, `Turned a card${block.title ? ` of “${block.title}”` : ''}`);
  const [back, setBack] = useState<ReadonlySet<string>>(() => new Set());
  const isTurned = (id: string) => opened.includes(id) !== back.has(id);
  return (
    <section aria-label={block.title || 'Cards'}>
      {block.title && <h2>{block.title}</h2>}
      <ul className={classes.cards}>
        {block.cards.map((card) => (
          <li key={card.id}>
            <button
              type="button"
              className={classes.card}
              aria-expanded={isTurned(card.id)}
              onClick={() => {
                if (opened.includes(card.id) || work.closed) {
                  const next = new Set(back);
                  if (!next.delete(card.id)) next.add(card.id);
                  setBack(next);
                }
                open(card.id);
              }}
            >
              <strong>{card.front}</strong>
              {isTurned(card.id) ? <span className={classes.back}>{card.back}</span> : <span className={classes.turn}>Turn</span>}
            </button>
          </li>
        ))}
      </ul>
      <Done done={done} words="All cards turned" left={count(opened.length, block.cards.length, 'cards turned')} />
    </section>
  );
};

const Timeline = ({ block }: { block: Of<'timeline'> }) => (
  <section aria-label={block.title || 'Timeline'}>
    {block.title && <h2>{block.title}</h2>}
    <ol className={classes.timeline}>
      {block.entries.map((entry) => (
        <li key={entry.id}>
          {entry.when && <span className={classes.when}>{entry.when}</span>}
          <strong>{entry.title}</strong>
          {entry.text && <p>{entry.text}</p>}
        </li>
      ))}
    </ol>
  </section>
);

const Scenario = ({ block, work }: Props<'scenario'>) => {
  const kept = work.answerOf(block.id, false);
  const choices = kept?.kind === 'order' ? kept.items : [];
  const way = scenarioWay(block.steps, choices);
  const step = way.at(-1);
  const [announcement, announce] = useState('');
  const paragraph = useRef<HTMLParagraphElement>(null);
  const chosenHere = useRef(false);
  const words = `Decided in “${block.title}”`;
  // So that a screen reader announces where the choice leads, immediately: later it would take the focus from what they do next.
  // biome-ignore lint/correctness/useExhaustiveDependencies: when another step is shown
  useLayoutEffect(() => {
    if (chosenHere.current) paragraph.current?.focus();
    chosenHere.current = false;
  }, [step?.id]);
  const go = (items: string[], feedback: string) => {
    announce(feedback);
    const answer: Answer = { kind: 'order', items };
    chosenHere.current = true;
    void work.keepAnswer(block.id, false, answer, words);
    if (isBlockDone(block, answer)) work.setDone(block.id, words);
  };
  if (!step) return null;
  const choose = (choice: (typeof step.choices)[number]) => {
    // In an earlier step, the choice leads back.
    const before = way.findIndex((s) => s.id === choice.to);
    go(before >= 0 ? choices.slice(0, before) : [...choices.slice(0, way.length - 1), choice.id], choice.feedback);
  };
  return (
    <section className={`app-card ${classes.box}`} aria-label={block.title || 'Scenario'}>
      {block.title && <h2>{block.title}</h2>}
      {announcement && <p className={classes.said}>{announcement}</p>}
      <p ref={paragraph} tabIndex={-1} className={classes.step}>
        {step.text}
      </p>
      {step.end === null ? (
        <Stack gap="xs">
          {step.choices.map((choice) => (
            <Button
              key={choice.id}
              variant="default"
              classNames={{ label: classes.wrap }}
              py="xs"
              mih={48}
              justify="flex-start"
              disabled={work.closed}
              onClick={() => choose(choice)}
            >
              {choice.text}
            </Button>
          ))}
        </Stack>
      ) : (
        <Button variant="default" disabled={work.closed} onClick={() => go([], '')}>
          {step.end === 'poor' ? 'Try again from the beginning' : 'Go through it again'}
        </Button>
      )}
      <Done
        done={work.isDone(block.id)}
        words="You reached a good end"
        left={step.end === 'poor' ? 'This is not a good end.' : 'Find the way to a good end.'}
      />
    </section>
  );
};

const Film = ({ block, work }: Props<'film'>) => {
  const video = useRef<HTMLVideoElement>(null);
  const [failed, setFailed] = useState(false);
  const [halted, setHalted] = useState<string | null>(null);
  const seen = optionsOf(work.answerOf(block.id, false));
  const words = `Watched “${block.title}”`;
  const add = (id: string) => {
    if (work.closed || seen.includes(id)) return;
    const answer: Answer = { kind: 'multiple', options: [...seen, id] };
    void work.keepAnswer(block.id, false, answer, words);
    if (isBlockDone(block, answer)) work.setDone(block.id, words);
  };
  /** Pauses the film where a question has to be answered first. */
  const halt = () => {
    const film = video.current;
    const open = film && block.stops.find((s) => !seen.includes(s.id) && (s.at <= film.currentTime || film.ended));
    if (!open) return;
    // Also if the film's own button starts it again.
    film.pause();
    if (halted === open.id) return;
    if (document.fullscreenElement) void document.exitFullscreen().catch(() => undefined);
    setHalted(open.id);
  };
  if (!block.media) return null;
  // People who cannot watch the film read it, and are asked the same.
  const asking = failed ? block.stops : block.stops.filter((s) => seen.includes(s.id) || s.id === halted);
  return (
    <section aria-label={block.title}>
      <h2>{block.title}</h2>
      {failed ? (
        <Missing what="This video" />
      ) : (
        // biome-ignore lint/a11y/useMediaCaption: its captions are those that its author has uploaded
        <video
          ref={video}
          className={classes.film}
          controls
          playsInline
          preload="metadata"
          poster={block.poster?.url}
          aria-label={block.title}
          onTimeUpdate={halt}
          onPlay={halt}
          onEnded={() => {
            add(filmEnd);
            halt();
          }}
          onError={() => setFailed(true)}
        >
          <source src={block.media.url} type={block.media.type} onError={() => setFailed(true)} />
          {block.captions.map((c, i) => (
            <track key={c.language} kind="captions" src={c.media.url} srcLang={c.language} label={c.label} default={i === 0} />
          ))}
        </video>
      )}
      {asking.map((stop) => (
        <div key={stop.id} className={classes.halt}>
          <AskedQuestion asked={stop} work={work} onChecked={() => add(stop.id)} />
          {stop.id === halted && seen.includes(stop.id) && !failed && !video.current?.ended && (
            <Button
              onClick={() => {
                setHalted(null);
                void video.current?.play();
              }}
            >
              Go on with the video
            </Button>
          )}
        </div>
      ))}
      {block.transcript && (
        <details className={topicLook.transcript}>
          <summary>Read it instead</summary>
          <p className={classes.lines}>{block.transcript}</p>
          <Button
            variant="default"
            mb="sm"
            disabled={work.closed || seen.includes(filmEnd)}
            onClick={() => {
              add(filmEnd);
              setFailed(failed);
            }}
          >
            I have read it to its end
          </Button>
        </details>
      )}
      <Done
        done={work.isDone(block.id)}
        words="Watched to its end"
        left={
          block.stops.length > 0
            ? `${count(block.stops.filter((s) => seen.includes(s.id)).length, block.stops.length, 'questions of the video answered')}`
            : 'Not watched to its end yet'
        }
      />
    </section>
  );
};

const Acknowledgement = ({ block, work }: Props<'acknowledgement'>) => {
  const answer = work.answerOf(block.id, false);
  const name = answer?.kind === 'free_text' ? answer.text : work.person;
  const done = work.isDone(block.id);
  const words = 'Signed that it was read and understood';
  return (
    <section className={`app-card ${classes.box}`} aria-label="Read and understood">
      <p className={classes.step}>{block.text}</p>
      {done ? (
        <Done done words={`Signed by ${name}`} left="" />
      ) : (
        <Button
          disabled={work.closed}
          onClick={() => {
            void work.keepAnswer(block.id, false, { kind: 'free_text', text: work.person }, words);
            work.setDone(block.id, words);
          }}
        >
          Sign as {work.person}
        </Button>
      )}
    </section>
  );
};

const Checklist = ({ block, work }: Props<'checklist'>) => {
  const ticked = optionsOf(work.answerOf(block.id, false));
  const words = `Ticked “${block.title}”`;
  return (
    <section className={`app-card ${classes.box}`} aria-label={block.title}>
      <h2>{block.title}</h2>
      <Checkbox.Group
        {...hiddenLabel(block.title)}
        value={ticked}
        onChange={(options) => {
          const answer: Answer = { kind: 'multiple', options };
          void work.keepAnswer(block.id, false, answer, words);
          if (isBlockDone(block, answer)) work.setDone(block.id, words);
        }}
      >
        <Stack gap="xs">
          {block.items.map((item) => (
            <Checkbox key={item.id} value={item.id} label={item.text} size="md" disabled={work.closed} className={classes.item} />
          ))}
        </Stack>
      </Checkbox.Group>
      <Done done={work.isDone(block.id)} words="All ticked" left={count(ticked.length, block.items.length, 'ticked')} />
    </section>
  );
};

const viewOf = (block: PlayedBlock, work: DesignWork): ReactNode => {
  switch (block.kind) {
    case 'text':
      return <RichText node={block.doc} />;
    case 'picture':
      return <Picture block={block} work={work} />;
    case 'cards':
      return <Cards block={block} work={work} />;
    case 'timeline':
      return <Timeline block={block} />;
    case 'scenario':
      return <Scenario block={block} work={work} />;
    case 'question':
      return <AskedQuestion asked={block} work={work} />;
    case 'film':
      return <Film block={block} work={work} />;
    case 'acknowledgement':
      return <Acknowledgement block={block} work={work} />;
    case 'checklist':
      return <Checklist block={block} work={work} />;
  }
};

/** One page of a designed content: its rows, whose blocks are beside each other if there is room. */
export const DesignPage = ({ page, theme, work, title }: { page: PlayedPage; theme: DesignTheme; work: DesignWork; title: ReactNode }) => (
  <div className={`${topicLook.topic} ${classes.page}`} data-theme={theme}>
    <header className={classes.head}>{title}</header>
    {page.rows.map((row) => (
      <div key={row.id} className={classes.row} data-columns={row.blocks.length}>
        {row.blocks.map((block) => (
          <div key={block.id} id={`block-${block.id}`} className={classes.block}>
            {viewOf(block, work)}
          </div>
        ))}
      </div>
    ))}
  </div>
);
