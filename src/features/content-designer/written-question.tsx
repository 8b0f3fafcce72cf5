import classes from '#src/features/content-designer/designer.module.css';
import { questionErrors } from '#src/features/content-designer/edited.ts';
import type { QuestionDraft } from '#src/screens/authoring/question-draft.ts';
import { QuestionEditor } from '#src/screens/authoring/question-editor.tsx';
import { IconAlert } from '#src/ui/icons.tsx';

type Props = {
  question: QuestionDraft;
  index: number;
  /** `typed`: the field being typed in. */
  onChange: (question: QuestionDraft, typed?: string) => void;
};
const none = {};

/** The question of a block, with what it still needs before it can be saved. */
export const WrittenQuestion = ({ question, index, onChange }: Props) => {
  const missing = [...new Set(Object.values(questionErrors(question)))];
  return (
    <>
      <QuestionEditor
        question={question}
        index={index}
        errors={none}
        onChange={(next, parted) => onChange(next, parted || next.kind !== question.kind ? undefined : `${question.key}.question`)}
      />
      {missing.length > 0 && (
        <p className={classes.lacks}>
          <IconAlert size={18} /> Not finished: {missing.join(' ')}
        </p>
      )}
    </>
  );
};
