import layout from '#src/ui/page.module.css';
import shapes from '#src/ui/shapes.module.css';
import { ActionIcon, Button, Checkbox, Textarea, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { designLimits } from '#contract/entities/design.ts';
import classes from '#src/features/content-designer/designer.module.css';
import type { EditedBlock, Of } from '#src/features/content-designer/edited.ts';
import { kindNames, newPart } from '#src/features/content-designer/edits.ts';
import { FileField } from '#src/features/content-designer/file-field.tsx';
import { FilmField } from '#src/features/content-designer/film-field.tsx';
import { ScenarioField } from '#src/features/content-designer/scenario-field.tsx';
import { SpotsField } from '#src/features/content-designer/spots-field.tsx';
import { TextField } from '#src/features/content-designer/text-field.tsx';
import { WrittenQuestion } from '#src/features/content-designer/written-question.tsx';
import { OrderList } from '#src/screens/authoring/order-list.tsx';
import type { FilesUnderWay } from '#src/screens/authoring/uploads.ts';
import { IconClose } from '#src/ui/icons.tsx';
import { atMost } from '#src/lib/at-most.ts';

/** Changes a block: the change, its name for undo, and the field being typed in. */
export type Change<B> = (to: (block: B) => B, name: string, typed?: string) => void;

type Part = { id: string };
type PartsProps<P extends Part> = {
  items: readonly P[];
  most: number;
  one: string;
  nameOf: (item: P, index: number) => string;
  empty: () => P;
  onChange: (items: P[], name: string, typed?: string) => void;
  children: (item: P, index: number, put: (to: Partial<P>, field: string) => void) => ReactNode;
};
/** Cards, entries or items: in order, each with its fields. */
const Parts = <P extends Part>({ items, most, one, nameOf, empty, onChange, children }: PartsProps<P>) => (
  <div className={`${layout.stack} ${shapes.bare}`}>
    <OrderList label={`Each ${one}, in order`} items={items} nameOf={nameOf} onMove={(next) => onChange(next, `Move a ${one}`)}>
      {(item, i) => (
        <fieldset className={`${layout.stack} ${shapes.bare}`} aria-label={`${one} ${i + 1}`}>
          <div className={`${layout.line} ${classes.partHead}`}>
            <strong>
              {one.charAt(0).toUpperCase() + one.slice(1)} {i + 1}
            </strong>
            <ActionIcon
              variant="subtle"
              aria-label={`Delete ${one} ${i + 1}`}
              onClick={() =>
                onChange(
                  items.filter((other) => other.id !== item.id),
                  `Delete the ${one} “${nameOf(item, i)}”`,
                )
              }
            >
              <IconClose size={20} />
            </ActionIcon>
          </div>
          {children(item, i, (to, field) =>
            onChange(
              items.map((other) => (other.id === item.id ? { ...other, ...to } : other)),
              `Write a ${one}`,
              `${item.id}.${field}`,
            ),
          )}
        </fieldset>
      )}
    </OrderList>
    {items.length < most && (
      <Button variant="default" className={shapes.start} onClick={() => onChange([...items, empty()], `Add a ${one}`)}>
        Add {/^[aeiou]/.test(one) ? 'an' : 'a'} {one}
      </Button>
    )}
  </div>
);

type Titled = { title: string };
const TitleField = <B extends Titled>({ block, change }: { block: B; change: Change<B> }) => (
  <TextInput
    label="Title"
    {...atMost(200, block.title)}
    onChange={(e) => {
      const title = e.currentTarget.value;
      change((b) => ({ ...b, title }), 'Write the title', 'title');
    }}
  />
);

/** When the block counts as done. */
const requiredWords: Partial<Record<EditedBlock['kind'], string>> = {
  picture: 'Every spot has to be opened',
  cards: 'Every card has to be turned',
  scenario: 'A good end has to be reached',
  question: 'It has to be answered',
  film: 'It has to be watched to its end',
  acknowledgement: 'It has to be signed',
  checklist: 'Every item has to be ticked',
};

type Props = { block: EditedBlock; change: Change<EditedBlock>; files: FilesUnderWay; say: (words: string) => void };

const Fields = ({ block, change: changeAny, files, say }: Props) => {
  /** Narrows the type of the change: a block keeps its kind. */
  const as = <B extends EditedBlock>() => changeAny as unknown as Change<B>;
  switch (block.kind) {
    case 'text':
      return <TextField label="Text" doc={block.doc} onChange={(doc) => as<Of<'text'>>()((b) => ({ ...b, doc }), 'Write the text', 'doc')} />;
    case 'picture': {
      const change = as<Of<'picture'>>();
      return (
        <>
          <FileField files={files} name={block.id} kind="image" label="picture" present={block.media !== null} />
          <Textarea
            label="What the picture shows"
            description="Read out to people who do not see it."
            autosize
            minRows={1}
            disabled={block.decorative}
            {...atMost(1000, block.decorative ? '' : block.alt)}
            onChange={(e) => {
              const alt = e.currentTarget.value;
              change((b) => ({ ...b, alt }), 'Describe the picture', 'alt');
            }}
          />
          <Checkbox
            label="Decorative: it says nothing that the text does not"
            checked={block.decorative}
            onChange={(e) => {
              const decorative = e.currentTarget.checked;
              change((b) => ({ ...b, decorative, alt: decorative ? '' : b.alt }), 'Change whether the picture is decorative');
            }}
          />
          <TextInput
            label="Caption"
            {...atMost(500, block.caption)}
            onChange={(e) => {
              const caption = e.currentTarget.value;
              change((b) => ({ ...b, caption }), 'Write the caption', 'caption');
            }}
          />
          <SpotsField block={block} change={change} say={say} />
        </>
      );
    }
    case 'cards': {
      const change = as<Of<'cards'>>();
      return (
        <>
          <TitleField block={block} change={change} />
          <Parts
            items={block.cards}
            most={designLimits.cards}
            one="card"
            nameOf={(card, i) => card.front || `Card ${i + 1}`}
            empty={() => ({ id: newPart(), front: '', back: '' })}
            onChange={(cards, name, typed) => change((b) => ({ ...b, cards }), name, typed)}
          >
            {(card, i, put) => (
              <>
                <TextInput
                  label={`Front of card ${i + 1}`}
                  {...atMost(300, card.front)}
                  onChange={(e) => put({ front: e.currentTarget.value }, 'front')}
                />
                <Textarea
                  label={`Back of card ${i + 1}`}
                  autosize
                  minRows={2}
                  {...atMost(2000, card.back)}
                  onChange={(e) => put({ back: e.currentTarget.value }, 'back')}
                />
              </>
            )}
          </Parts>
        </>
      );
    }
    case 'timeline': {
      const change = as<Of<'timeline'>>();
      return (
        <>
          <TitleField block={block} change={change} />
          <Parts
            items={block.entries}
            most={designLimits.entries}
            one="entry"
            nameOf={(entry, i) => entry.title || entry.when || `Entry ${i + 1}`}
            empty={() => ({ id: newPart(), when: '', title: '', text: '' })}
            onChange={(entries, name, typed) => change((b) => ({ ...b, entries }), name, typed)}
          >
            {(entry, i, put) => (
              <>
                <TextInput
                  label={`When, entry ${i + 1}`}
                  placeholder="Day 1"
                  {...atMost(100, entry.when)}
                  onChange={(e) => put({ when: e.currentTarget.value }, 'when')}
                />
                <TextInput
                  label={`Title of entry ${i + 1}`}
                  {...atMost(200, entry.title)}
                  onChange={(e) => put({ title: e.currentTarget.value }, 'title')}
                />
                <Textarea
                  label={`Text of entry ${i + 1}`}
                  autosize
                  minRows={2}
                  {...atMost(2000, entry.text)}
                  onChange={(e) => put({ text: e.currentTarget.value }, 'text')}
                />
              </>
            )}
          </Parts>
        </>
      );
    }
    case 'scenario': {
      const change = as<Of<'scenario'>>();
      return (
        <>
          <TitleField block={block} change={change} />
          <ScenarioField block={block} change={change} />
        </>
      );
    }
    case 'question': {
      const change = as<Of<'question'>>();
      return (
        <>
          <Checkbox
            label="Scored"
            description="It counts towards the pass mark, and is marked when everything is handed in. Otherwise people are told at once."
            checked={block.scored}
            onChange={(e) => {
              const scored = e.currentTarget.checked;
              change((b) => ({ ...b, scored }), 'Change whether the question is scored');
            }}
          />
          <WrittenQuestion
            question={block.question}
            index={0}
            onChange={(question, typed) => change((b) => ({ ...b, question }), 'Write the question', typed)}
          />
        </>
      );
    }
    case 'film':
      return <FilmField block={block} change={as<Of<'film'>>()} files={files} />;
    case 'acknowledgement':
      return (
        <Textarea
          label="What is signed"
          description="People sign it with their name."
          autosize
          minRows={2}
          {...atMost(2000, block.text)}
          onChange={(e) => {
            const text = e.currentTarget.value;
            as<Of<'acknowledgement'>>()((b) => ({ ...b, text }), 'Write what is signed', 'text');
          }}
        />
      );
    case 'checklist': {
      const change = as<Of<'checklist'>>();
      return (
        <>
          <TitleField block={block} change={change} />
          <Parts
            items={block.items}
            most={designLimits.items}
            one="item"
            nameOf={(item, i) => item.text || `Item ${i + 1}`}
            empty={() => ({ id: newPart(), text: '' })}
            onChange={(items, name, typed) => change((b) => ({ ...b, items }), name, typed)}
          >
            {(item, i, put) => (
              <TextInput label={`Text of item ${i + 1}`} {...atMost(500, item.text)} onChange={(e) => put({ text: e.currentTarget.value }, 'text')} />
            )}
          </Parts>
        </>
      );
    }
  }
};

/** The fields of the selected block. */
export const BlockFields = (props: Props) => {
  const { block, change } = props;
  // Scored questions must be answered anyway; a picture without spots has nothing to open.
  const asks = 'required' in block && !(block.kind === 'question' && block.scored) && !(block.kind === 'picture' && block.spots.length === 0);
  return (
    <div className={`${layout.stack} ${shapes.bare} ${classes.fields}`}>
      <h2 className={classes.fieldsTitle}>{kindNames[block.kind]}</h2>
      <Fields {...props} />
      {asks && (
        <Checkbox
          label={requiredWords[block.kind]}
          checked={block.required}
          onChange={(e) => {
            const required = e.currentTarget.checked;
            change((b) => ('required' in b ? { ...b, required } : b), 'Change what has to be done');
          }}
        />
      )}
    </div>
  );
};
