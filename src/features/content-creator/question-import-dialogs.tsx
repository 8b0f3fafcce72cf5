import layout from '#src/ui/page.module.css';
import shapes from '#src/ui/shapes.module.css';
import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { partLimits } from '#contract/entities/authored-parts.ts';
import type { AuthoredQuestion } from '#contract/entities/authored-question.ts';
import { pathTo } from '#contract/site-map.ts';
import { texts } from '#contract/texts.ts';
import { call } from '#src/api/call.ts';
import { QuestionImport } from '#src/features/content-creator/question-import.tsx';
import { countOf } from '#src/lib/format.ts';
import { useAction } from '#src/screens/use-action.ts';
import { RegisteredModal } from '#src/ui/modal/modal-registry.tsx';
import { closeModal, openModal } from '#src/ui/modal/open-modals.ts';
import { notify } from '#src/ui/notify.ts';
import { atMost } from '#src/lib/at-most.ts';

export const importDialog = 'question-import';
const asOne = { name: importDialog, title: 'Import questions', width: 820, scrollable: true } as const;

/** Adds questions from a file to the end of a quiz being edited: they are saved with it. */
export const ImportIntoQuiz = ({ room, onTake }: { room: number; onTake: (questions: AuthoredQuestion[]) => void }) => (
  <RegisteredModal {...asOne}>
    {() => (
      <QuestionImport
        room={room}
        takes={(n) => `Take ${countOf(n, 'question')}`}
        onTake={(questions) => {
          onTake(questions);
          closeModal(importDialog);
          notify('info', `${countOf(questions.length, 'question')} added at the end. Save the quiz to keep them.`);
        }}
      />
    )}
  </RegisteredModal>
);

const NewQuiz = () => {
  const navigate = useNavigate();
  const [title, setTitle] = useState('');
  const make = useAction(
    (questions: AuthoredQuestion[], ofFile: string) => call('POST /quizzes', { body: { title: title.trim() || ofFile.slice(0, 200), questions } }),
    {
      success: texts.quizCreated,
      onDone: ({ id }) => {
        closeModal(importDialog);
        void navigate(pathTo('content-creator-quizzes-update-by-id', { id }));
      },
    },
  );
  return (
    <div className={`${shapes.bare} ${layout.stack}`}>
      <TextInput
        label="Title of the new quiz"
        description="Without one it is called as the file is."
        {...atMost(200, title)}
        onChange={(e) => setTitle(e.currentTarget.value)}
      />
      <QuestionImport
        room={partLimits.questions}
        takes={(n) => `Make a quiz of ${countOf(n, 'question')}`}
        busy={make.busy}
        onTake={(questions, ofFile) => void make.run(questions, ofFile)}
      />
    </div>
  );
};

/** Creates a quiz from the questions in a file. */
export const ImportAsQuiz = () => (
  <>
    <Button variant="default" onClick={() => openModal(importDialog)}>
      Import questions …
    </Button>
    <RegisteredModal {...asOne}>{() => <NewQuiz />}</RegisteredModal>
  </>
);
