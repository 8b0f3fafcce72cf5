import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { Day } from '#contract/entities/fields.ts';
import { fewestForPercent, type QuestionStatistics } from '#contract/entities/quiz-statistics.ts';
import { call } from '#src/api/call.ts';
import classes from '#src/features/content-creator/quiz-statistics.module.css';
import { countOf } from '#src/lib/format.ts';
import { kindWords } from '#src/screens/authoring/question-draft.ts';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';
import { useReadOf } from '#src/screens/use-read.ts';
import { DateField } from '#src/ui/date-field.tsx';
import { IconChart } from '#src/ui/icons.tsx';
import layout from '#src/ui/page.module.css';
import shapes from '#src/ui/shapes.module.css';
import { EmptyState } from '#src/ui/states.tsx';

/** A number out of all: as a share only if there are enough. */
const share = (part: number, whole: number): string =>
  whole >= fewestForPercent ? `${Math.round((part * 100) / whole)} % (${part} of ${whole})` : `${part} of ${whole}`;

const Question = ({ of: { kind, prompt, asked, right, skipped, instead }, no }: { of: QuestionStatistics; no: number }) => (
  <li className={`app-card ${layout.stack} ${classes.question}`}>
    <h2>
      <span className={`${layout.soft} ${classes.asked}`}>
        {no}. {kindWords[kind].label}
      </span>
      {prompt}
    </h2>
    <p className={classes.right}>
      <strong>{share(right, asked)}</strong> {kind === 'free_text' ? 'long enough' : 'right'} at the first try
    </p>
    {asked >= fewestForPercent && (
      <div className={classes.bar} aria-hidden>
        <span style={{ width: `${(right * 100) / asked}%` }} />
      </div>
    )}
    {(instead.length > 0 || skipped > 0) && (
      <>
        <h3>Answered instead</h3>
        <ul className={layout.lines}>
          {instead.map(({ words, count }) => (
            <li key={words}>
              <span>{words}</span>
              <span>{share(count, asked)}</span>
            </li>
          ))}
          {skipped > 0 && (
            <li>
              <em>No answer</em>
              <span>{share(skipped, asked)}</span>
            </li>
          )}
        </ul>
      </>
    )}
  </li>
);

/** How the questions of a quiz were answered at the first try: in all versions or one, within a period. */
export const QuizStatistics = ({ id }: { id: string }) => {
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const [chosen, setChosen] = useState('');
  const [content_id, version] = chosen.split(' ');
  // An incomplete day is still being typed.
  const query = {
    ...(Day.safeParse(from).success ? { from } : {}),
    ...(Day.safeParse(to).success ? { to } : {}),
    ...(content_id ? { content_id, version: Number(version) } : {}),
  };
  const { state, retry } = useReadOf(
    ['quiz-statistics', id, query],
    (signal) => call('GET /quizzes/{id}/statistics', { params: { id }, query }, { signal, quiet: true }),
    { keepShown: true },
  );
  if (state.kind !== 'loaded')
    return <ReadPlaceholder state={state} retry={retry} loading="Loading the statistics" offline="Statistics need a connection." />;
  const { tries, passed, questions, versions } = state.data;
  if (versions.length === 0)
    return (
      <EmptyState icon={<IconChart size={36} />} title="Nobody has taken it yet">
        Once people hand it in, this shows which questions they find hard, and what they answer instead.
      </EmptyState>
    );
  return (
    <div className={`${layout.stack} ${classes.statistics}`}>
      <p className={layout.soft}>
        The first try of everybody in your organisation and below it. Nobody is named; below {fewestForPercent} answers there are no percentages.
      </p>
      <div className={shapes.tiles}>
        <DateField label="From" value={from} onChange={setFrom} />
        <DateField label="To" value={to} onChange={setTo} />
        <NativeSelect
          label="Version"
          value={chosen}
          onChange={(e) => setChosen(e.currentTarget.value)}
          data={[
            { value: '', label: 'All versions' },
            ...versions.map((v) => ({
              value: `${v.content.id} ${v.version}`,
              label: `${v.content.title}, version ${v.version} (${countOf(v.tries, 'try', 'tries')})`,
            })),
          ]}
        />
      </div>
      <p role="status">
        {tries === 0
          ? 'Nobody handed it in for the first time in these days.'
          : `${countOf(tries, 'first try', 'first tries')}: ${share(passed, tries)} passed.`}
      </p>
      <ol className={layout.list}>
        {questions.map((q, i) => (
          <Question key={q.question_id} of={q} no={i + 1} />
        ))}
      </ol>
    </div>
  );
};
