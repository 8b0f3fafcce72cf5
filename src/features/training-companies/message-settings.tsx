import { Button, Checkbox, Textarea, type TextareaProps, Title } from '@mantine/core';
import { useRef, useState } from 'react';
import { longestMessage } from '#contract/entities/training-company.ts';
import { type CompanyMessageKind, companyMessages, factsOf, fillMessage, messageFacts } from '#contract/rules/company-messages.ts';
import classes from '#src/features/training-companies/training-companies.module.css';
import layout from '#src/ui/page.module.css';

export type MessageValues = { kind: CompanyMessageKind; email: boolean; text: string };
type Props = {
  value: MessageValues;
  /** The company's name in the preview. */
  provider: string;
  field: Pick<TextareaProps, 'value' | 'onChange' | 'error'>;
  onChange: (value: MessageValues) => void;
};
/** One kind of message: whether it is also e-mailed, its text, and a preview with example facts. */
export const MessageSetting = ({ value, provider, field, onChange }: Props) => {
  const { label, when, text: standard } = companyMessages[value.kind];
  const hasOwnText = value.text !== standard;
  const [open, setOpen] = useState(false);
  const area = useRef<HTMLTextAreaElement>(null);
  const insert = (fact: string) => {
    const selectionStart = area.current?.selectionStart ?? value.text.length;
    const selectionEnd = area.current?.selectionEnd ?? selectionStart;
    onChange({ ...value, text: `${value.text.slice(0, selectionStart)}{${fact}}${value.text.slice(selectionEnd)}` });
    area.current?.focus();
  };
  const shown = open || field.error !== undefined;
  return (
    <li className={`${layout.stack} ${classes.message}`}>
      <div>
        <Title order={2} size="h4">
          {label}
        </Title>
        <p className={layout.count}>{when}</p>
      </div>
      <Checkbox
        label="Also by e-mail"
        aria-label={`${label}: also by e-mail`}
        checked={value.email}
        onChange={(e) => onChange({ ...value, email: e.currentTarget.checked })}
      />
      {shown && (
        <div className={layout.stack}>
          <Textarea ref={area} label={`Text: ${label}`} autosize minRows={2} maxLength={longestMessage} {...field} />
          <ul className={`${layout.plain} ${layout.tools}`} aria-label={`Insert into the text: ${label}`}>
            {factsOf(value.kind).map((fact) => (
              <li key={fact}>
                <Button variant="default" size="compact-md" onClick={() => insert(fact)}>
                  {`{${fact}}`}
                </Button>
              </li>
            ))}
          </ul>
        </div>
      )}
      <figure className={`${layout.stack} ${layout.tight} ${classes.preview}`} aria-label={`Preview: ${label}`}>
        <figcaption>{hasOwnText ? 'Your text, with an example' : 'Standard text, with an example'}</figcaption>
        <blockquote>{fillMessage(value.text, { ...messageFacts, provider })}</blockquote>
      </figure>
      <div className={layout.tools}>
        {!shown && (
          <Button variant="default" aria-label={`Change the text: ${label}`} onClick={() => setOpen(true)}>
            Change the text
          </Button>
        )}
        {hasOwnText && (
          <Button variant="subtle" aria-label={`Back to the standard text: ${label}`} onClick={() => onChange({ ...value, text: standard })}>
            Back to the standard text
          </Button>
        )}
      </div>
    </li>
  );
};
