import { Button, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { AuthoredQuestion } from '#contract/entities/authored-question.ts';
import { call } from '#src/api/call.ts';
import classes from '#src/screens/authoring/authoring.module.css';
import { kindWords } from '#src/screens/authoring/question-draft.ts';
import { countOf } from '#src/lib/format.ts';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';
import { useReadOf } from '#src/screens/use-read.ts';
import { IconCheck, IconSearch } from '#src/ui/icons.tsx';
import { RegisteredModal } from '#src/ui/modal/modal-registry.tsx';
import layout from '#src/ui/page.module.css';
import shapes from '#src/ui/shapes.module.css';
import { Pages } from '#src/ui/pages.tsx';
import { EmptyState } from '#src/ui/states.tsx';

export const bankDialog = 'question-bank';
const pauseMs = 250;
type Props = {
  /** The quiz to which they are added; its own questions are not offered. */
  quiz: string | undefined;
  onAdd: (question: AuthoredQuestion) => void;
};

const Bank = ({ quiz, onAdd }: Props) => {
  const [typed, setTyped] = useState('');
  const [search, setSearch] = useState('');
  const [page, setPage] = useState(1);
  const [added, setAdded] = useState<readonly string[]>([]);
  useEffect(() => {
    const timer = setTimeout(() => {
      setSearch(typed);
      setPage(1);
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [typed]);
  const { state, retry } = useReadOf(
    ['question-bank', quiz, search, page],
    (signal) => call('GET /questions', { query: { search, page, ...(quiz ? { available_to: quiz } : {}) } }, { signal, quiet: true }),
    { keepShown: true },
  );
  return (
    <div className={`${shapes.bare} ${layout.stack}`}>
      <TextInput
        label="Find a question"
        placeholder="A word of it"
        type="search"
        leftSection={<IconSearch size={20} />}
        data-autofocus
        value={typed}
        onChange={(e) => setTyped(e.currentTarget.value)}
      />
      <ReadPlaceholder state={state} retry={retry} loading="Loading questions" offline="The question bank needs a connection." />
      {state.kind === 'loaded' && state.data.length === 0 && (
        <EmptyState title={search ? `Nothing found for “${search}”` : 'No other questions yet'}>
          {search ? 'Try a part of a word.' : 'Questions of your other quizzes are offered here.'}
        </EmptyState>
      )}
      {state.kind === 'loaded' && state.data.length > 0 && (
        <>
          <p className={layout.count} role="status">
            {countOf(state.meta?.total ?? state.data.length, 'question')}
          </p>
          <ul className={layout.list}>
            {state.data.map(({ question, quiz: from }) => {
              const id = question.id ?? question.prompt;
              return (
                <li key={id} className={`${layout.between} ${classes.bankLine}`}>
                  <div>
                    <strong>{question.prompt}</strong>
                    <small className={layout.soft}>
                      {kindWords[question.kind].label} · {from.title}
                    </small>
                  </div>
                  <Button
                    variant="default"
                    aria-label={`Add “${question.prompt}”`}
                    {...(added.includes(id) ? { leftSection: <IconCheck size={18} /> } : {})}
                    onClick={() => {
                      onAdd(question);
                      setAdded([...added, id]);
                    }}
                  >
                    {added.includes(id) ? 'Add again' : 'Add'}
                  </Button>
                </li>
              );
            })}
          </ul>
          <Pages last={state.meta?.last_page ?? 1} page={page} onGoTo={setPage} />
        </>
      )}
    </div>
  );
};

/** The questions of other quizzes. They are copied: changing a copy changes no other quiz. */
export const QuestionBank = (props: Props) => (
  <RegisteredModal name={bankDialog} title="Question bank" width={760} scrollable>
    {() => <Bank {...props} />}
  </RegisteredModal>
);
