import layout from '#src/ui/page.module.css';
import shapes from '#src/ui/shapes.module.css';
import type { EditedBlock } from '#src/features/content-designer/edited.ts';
import { kindWords } from '#src/screens/authoring/question-draft.ts';
import classes from '#src/features/content-designer/designer.module.css';
import { plainText } from '#contract/rules/readability.ts';
import { countOf } from '#src/lib/format.ts';
import look from '#src/screens/block-view.module.css';
import { RichText } from '#src/screens/rich-text.tsx';

const Lines = ({ of, empty }: { of: readonly string[]; empty: string }) => {
  const written = of.filter((line) => line.trim() !== '');
  return written.length === 0 ? (
    <p className={`${shapes.muted} ${classes.blank}`}>{empty}</p>
  ) : (
    <ul className={classes.lines}>
      {written.map((line, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of a text, in order
        <li key={i}>{line}</li>
      ))}
    </ul>
  );
};

/** A block on the canvas. */
export const BlockLook = ({ block }: { block: EditedBlock }) => {
  switch (block.kind) {
    case 'text':
      return plainText(block.doc).trim() === '' ? (
        <p className={`${shapes.muted} ${classes.blank}`}>Nothing is written yet.</p>
      ) : (
        // Links are inactive here.
        <div className={`${look.topic} ${classes.sample}`} inert>
          <RichText node={block.doc} />
        </div>
      );
    case 'picture':
      return (
        <>
          {block.media ? (
            <img className={classes.thumb} src={block.media.url} alt={block.alt} loading="lazy" />
          ) : (
            <p className={`${shapes.muted} ${classes.blank}`}>No picture yet.</p>
          )}
          {block.spots.length > 0 && <p className={layout.soft}>{countOf(block.spots.length, 'spot')} to open</p>}
        </>
      );
    case 'cards':
      return <Lines of={block.cards.map((c) => c.front)} empty="Nothing is written on the cards yet." />;
    case 'timeline':
      return <Lines of={block.entries.map((e) => [e.when, e.title].filter(Boolean).join(': '))} empty="Nothing is in the timeline yet." />;
    case 'scenario':
      return (
        <>
          <Lines of={block.steps.slice(0, 1).map((s) => s.text)} empty="Nothing is written yet." />
          <p className={layout.soft}>
            {countOf(block.steps.length, 'step')}, {countOf(block.steps.filter((s) => s.end).length, 'end')}
          </p>
        </>
      );
    case 'question':
      return (
        <>
          <Lines of={[block.question.prompt]} empty="Nothing is asked yet." />
          <p className={layout.soft}>
            {kindWords[block.question.kind].label}
            {block.scored ? '' : ', for practice'}
          </p>
        </>
      );
    case 'film':
      return (
        <>
          <p className={`${shapes.muted} ${classes.blank}`}>{block.media ? 'The video is here.' : 'No video yet.'}</p>
          {block.stops.length > 0 && <p className={layout.soft}>{countOf(block.stops.length, 'question')} on the way</p>}
        </>
      );
    case 'acknowledgement':
      return <Lines of={[block.text]} empty="What is signed is not written yet." />;
    case 'checklist':
      return <Lines of={block.items.map((i) => i.text)} empty="Nothing is on the list yet." />;
  }
};
