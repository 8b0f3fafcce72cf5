import layout from '#src/ui/page.module.css';
import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useId, useState } from 'react';
import { can } from '#contract/can.ts';
import { useSession } from '#src/access/session.ts';
import { call, sentenceOf } from '#src/api/call.ts';
import type { Find, Option } from '#src/api/find.ts';
import type { Result } from '#src/api/transport.ts';
import classes from '#src/screens/authoring/authoring.module.css';
import { Picker } from '#src/screens/pickers.tsx';
import { useAction } from '#src/screens/use-action.ts';
import { titlesOf } from '#src/screens/authoring/uses-words.ts';

export type PartKind = 'lessons' | 'topics' | 'quizzes';
const words = {
  lessons: { one: 'lesson', nothing: 'No other lesson' },
  topics: { one: 'topic', nothing: 'No other topic' },
  quizzes: { one: 'quiz', nothing: 'No other quiz' },
} as const;

/** Parts that are not included yet, with where they are used. */
const available = (kind: PartKind, to: string): Find => {
  return async (search, signal) => {
    const answer = await call(`GET /${kind}` as 'GET /lessons', { query: { search, per_page: 50, available_to: to } }, { signal, quiet: true });
    if (answer.kind !== 'ok') return { failed: sentenceOf(answer) };
    return {
      options: answer.data.map(({ id, title, used_in }) => ({
        ...{ id, name: title },
        ...(used_in.length > 0 ? { where: `used in ${titlesOf(used_in)}` } : {}),
      })),
    };
  };
};

type Props = {
  kind: PartKind;
  /** The parent. */
  to: string;
  /** The ids of its present parts, which are not offered. */
  present: readonly string[];
  busy: boolean;
  onAdd: (id: string) => void;
};

/** Adds a part: an existing one, or a new one with only a title. */
export const AddPart = ({ kind, to, present, busy, onAdd }: Props) => {
  const { one, nothing } = words[kind];
  const user = useSession();
  const [chosen, setChosen] = useState<Option | null>(null);
  const [title, setTitle] = useState('');
  const [wrong, setWrong] = useState<string | null>(null);
  const id = useId();
  const making = useAction(
    (named: string) => call(`POST /${kind}` as 'POST /lessons', { body: { title: named } }) as Promise<Result<{ id: string }>>,
    {
      onDone: (made) => {
        setTitle('');
        setWrong(null);
        onAdd(made.id);
      },
      onFailed: (errors) => setWrong(errors.title ?? errors.whole ?? Object.values(errors)[0] ?? null),
    },
  );
  const make = (event: FormEvent) => {
    event.preventDefault();
    if (title.trim() === '') setWrong('Enter a title.');
    else void making.run(title);
  };
  return (
    <div className={`${layout.stack} ${classes.adding}`}>
      {can(user, 'content.create') && (
        <form className={classes.addLine} onSubmit={make} noValidate>
          <TextInput
            id={id}
            label={`New ${one}`}
            placeholder="Its title"
            value={title}
            error={wrong}
            onChange={(e) => {
              setTitle(e.currentTarget.value);
              setWrong(null);
            }}
          />
          <Button type="submit" loading={making.busy}>
            Make and add
          </Button>
        </form>
      )}
      <div className={classes.addLine}>
        <Picker
          from={{ find: available(kind, to), placeholder: `Choose a ${one}`, nothing }}
          label={`Or one that there is already`}
          except={present}
          value={chosen}
          onChange={setChosen}
        />
        <Button
          variant="default"
          loading={busy}
          disabled={!chosen}
          onClick={() => {
            if (chosen) onAdd(chosen.id);
            setChosen(null);
          }}
        >
          Add
        </Button>
      </div>
    </div>
  );
};
