import layout from '#src/ui/page.module.css';
import shapes from '#src/ui/shapes.module.css';
import { ActionIcon, Button, Checkbox, NumberInput, Textarea, TextInput } from '@mantine/core';
import { useRef, useState } from 'react';
import { designLimits } from '#contract/entities/design.ts';
import type { Change } from '#src/features/content-designer/block-fields.tsx';
import classes from '#src/features/content-designer/designer.module.css';
import type { EditedStop, Of } from '#src/features/content-designer/edited.ts';
import { FileField } from '#src/features/content-designer/file-field.tsx';
import { WrittenQuestion } from '#src/features/content-designer/written-question.tsx';
import { CaptionsField } from '#src/screens/authoring/captions-field.tsx';
import { contentUploads } from '#src/screens/authoring/content-uploads.ts';
import { emptyQuestion } from '#src/screens/authoring/question-draft.ts';
import type { FilesUnderWay } from '#src/screens/authoring/uploads.ts';
import { IconClose } from '#src/ui/icons.tsx';
import { atMost } from '#src/lib/at-most.ts';

type Film = Of<'film'>;
const clock = (seconds: number) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;

/** A film and the questions at which it pauses, in order of time. */
export const FilmField = ({ block, change, files }: { block: Film; change: Change<Film>; files: FilesUnderWay }) => {
  const player = useRef<HTMLVideoElement>(null);
  const [open, setOpen] = useState<string | null>(null);
  const { stops } = block;
  const ordered = stops.toSorted((a, b) => a.at - b.at);
  const put = (id: string, to: Partial<EditedStop>, name: string, typed?: string) =>
    change((b) => ({ ...b, stops: b.stops.map((s) => (s.id === id ? { ...s, ...to } : s)) }), name, typed);
  const add = () => {
    const id = crypto.randomUUID();
    const at = Math.floor(player.current?.currentTime ?? 0);
    change((b) => ({ ...b, stops: [...b.stops, { id, at, scored: false, question: emptyQuestion('single', id) }] }), 'Add a question to the video');
    setOpen(id);
  };
  return (
    <div className={`${layout.stack} ${shapes.bare}`}>
      <FileField files={files} name={block.id} kind="video" label="video" present={block.media !== null} />
      {block.media && (
        // biome-ignore lint/a11y/useMediaCaption: missing captions are reported below it
        <video ref={player} controls preload="metadata" className={classes.thumb} src={block.media.url} aria-label={block.title || 'The video'} />
      )}
      <TextInput
        label="Title of the video"
        {...atMost(200, block.title)}
        onChange={(e) => {
          const title = e.currentTarget.value;
          change((b) => ({ ...b, title }), 'Write the title of the video', `${block.id}.title`);
        }}
      />
      {contentUploads.captions && (
        <CaptionsField
          captions={block.captions}
          upload={contentUploads.captions}
          onChange={(captions) => change((b) => ({ ...b, captions }), 'Change the captions')}
        />
      )}
      <Textarea
        label="Transcript"
        description="Everything that is said, for those who cannot hear or play it."
        autosize
        minRows={2}
        maxRows={12}
        value={block.transcript}
        onChange={(e) => {
          const transcript = e.currentTarget.value;
          change((b) => ({ ...b, transcript }), 'Write the transcript', `${block.id}.transcript`);
        }}
      />
      <strong>Questions on the way</strong>
      {ordered.map((stop, i) => (
        <fieldset key={stop.id} className={`${layout.stack} ${shapes.bare} ${classes.part}`} aria-label={`Question at ${clock(stop.at)}`}>
          <div className={`${layout.line} ${classes.partHead}`}>
            <button
              type="button"
              className={`${shapes.press} ${classes.fold}`}
              aria-expanded={open === stop.id}
              onClick={() => setOpen(open === stop.id ? null : stop.id)}
            >
              {clock(stop.at)} {stop.question.prompt || 'New question'}
            </button>
            <ActionIcon
              variant="subtle"
              aria-label={`Delete the question at ${clock(stop.at)}`}
              onClick={() => change((b) => ({ ...b, stops: b.stops.filter((s) => s.id !== stop.id) }), 'Delete a question of the video')}
            >
              <IconClose size={20} />
            </ActionIcon>
          </div>
          {open === stop.id && (
            <>
              <div className={`${layout.tools} ${classes.tools}`}>
                <NumberInput
                  label="The video halts at this second"
                  min={0}
                  max={86_400}
                  allowNegative={false}
                  allowDecimal={false}
                  hideControls
                  value={stop.at}
                  onChange={(at) =>
                    put(stop.id, { at: Math.min(86_400, Math.max(0, Number(at) || 0)) }, 'Change the time of a question', `${stop.id}.at`)
                  }
                />
                {block.media && (
                  <Button
                    variant="default"
                    className={classes.beneath}
                    onClick={() => put(stop.id, { at: Math.floor(player.current?.currentTime ?? 0) }, 'Change the time of a question')}
                  >
                    Where the video stands
                  </Button>
                )}
              </div>
              <Checkbox
                label="Scored"
                description="It counts towards the pass mark, and is marked when everything is handed in."
                checked={stop.scored}
                onChange={(e) => put(stop.id, { scored: e.currentTarget.checked }, 'Change whether a question is scored')}
              />
              <WrittenQuestion
                question={stop.question}
                index={i}
                onChange={(question, typed) => put(stop.id, { question }, 'Write a question of the video', typed)}
              />
            </>
          )}
        </fieldset>
      ))}
      {stops.length < designLimits.stops && (
        <Button variant="default" className={shapes.start} onClick={add}>
          Add a question {block.media ? 'where the video stands' : 'at a time'}
        </Button>
      )}
    </div>
  );
};
