import { ActionIcon, Checkbox, NativeSelect, Radio, Stack, Textarea, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Answer, Picture, Question } from '#contract/entities/content.ts';
import classes from '#src/ui/question-input.module.css';
import { hiddenLabel } from '#src/ui/hidden-label.ts';
import { IconDown, IconUp } from '#src/ui/icons.tsx';

type Props = { question: Question; answer: Answer | undefined; disabled: boolean; onChange: (answer: Answer) => void };

/** The name of a question's fields for screen readers. A question that is only a picture has no prompt. */
const nameOf = ({ prompt, picture }: Question): string => prompt || (picture && !picture.decorative && picture.alt) || 'Your answer';

const words = (text: string) => text.trim().split(/\s+/).filter(Boolean).length;

/** A picture of a question or of an answer; if it is not on this device, its alternative text. */
export const QuestionPicture = ({ picture, small = false }: { picture: Picture; small?: boolean }) => {
  const [failed, setFailed] = useState(false);
  const alt = picture.decorative ? '' : picture.alt;
  return failed ? (
    <span className={classes.noPicture}>{alt ? `Picture: ${alt}. ` : ''}It cannot be shown without a connection.</span>
  ) : (
    <img className={classes.picture} data-small={small || undefined} src={picture.media.url} alt={alt} onError={() => setFailed(true)} />
  );
};
const labelOf = ({ text, picture }: { text: string; picture?: Picture | undefined }): ReactNode =>
  picture ? (
    <>
      {text}
      <QuestionPicture picture={picture} small />
    </>
  ) : (
    text
  );

/** The input for one question, usable by touch, keyboard and screen reader. */
export const QuestionInput = ({ question: q, answer, disabled, onChange }: Props) => {
  switch (q.kind) {
    case 'single':
    case 'true_false': {
      const options =
        q.kind === 'single'
          ? q.options
          : [
              { id: 'true', text: 'True' },
              { id: 'false', text: 'False' },
            ];
      const value = answer?.kind === 'single' ? answer.option : answer?.kind === 'true_false' ? String(answer.value) : '';
      return (
        <Radio.Group
          value={value}
          {...hiddenLabel(nameOf(q))}
          onChange={(v) => onChange(q.kind === 'single' ? { kind: 'single', option: v } : { kind: 'true_false', value: v === 'true' })}
        >
          <Stack gap="xs">
            {options.map((o) => (
              <Radio key={o.id} value={o.id} label={labelOf(o)} size="md" disabled={disabled} className={classes.option} />
            ))}
          </Stack>
        </Radio.Group>
      );
    }
    case 'multiple': {
      const value = answer?.kind === 'multiple' ? answer.options : [];
      return (
        <Checkbox.Group value={value} {...hiddenLabel(nameOf(q))} onChange={(options) => onChange({ kind: 'multiple', options })}>
          <p className={classes.hint}>Choose all correct answers.</p>
          <Stack gap="xs">
            {q.options.map((o) => (
              <Checkbox key={o.id} value={o.id} label={labelOf(o)} size="md" disabled={disabled} className={classes.option} />
            ))}
          </Stack>
        </Checkbox.Group>
      );
    }
    case 'match': {
      const pairs = answer?.kind === 'match' ? answer.pairs : {};
      return (
        <Stack gap="md">
          {q.left.map((l) => (
            <NativeSelect
              key={l.id}
              label={l.text}
              size="md"
              disabled={disabled}
              value={pairs[l.id] ?? ''}
              onChange={(e) => onChange({ kind: 'match', pairs: { ...pairs, [l.id]: e.currentTarget.value } })}
              data={[{ value: '', label: 'Choose …' }, ...q.right.map((r) => ({ value: r.id, label: r.text }))]}
            />
          ))}
        </Stack>
      );
    }
    case 'order': {
      const order = answer?.kind === 'order' ? answer.items : q.items.map((i) => i.id);
      const move = (from: number, to: number) => {
        const next = [...order];
        const [moved] = next.splice(from, 1);
        next.splice(to, 0, moved as string);
        onChange({ kind: 'order', items: next });
      };
      return (
        <>
          <p className={classes.hint}>Use the arrows to put them in order.</p>
          <ol className={classes.order}>
            {order.map((id, i) => {
              const text = q.items.find((item) => item.id === id)?.text ?? '';
              return (
                <li key={id}>
                  <span>
                    {i + 1}. {text}
                  </span>
                  <ActionIcon variant="default" aria-label={`Move “${text}” up`} disabled={disabled || i === 0} onClick={() => move(i, i - 1)}>
                    <IconUp />
                  </ActionIcon>
                  <ActionIcon
                    variant="default"
                    aria-label={`Move “${text}” down`}
                    disabled={disabled || i === order.length - 1}
                    onClick={() => move(i, i + 1)}
                  >
                    <IconDown />
                  </ActionIcon>
                </li>
              );
            })}
          </ol>
        </>
      );
    }
    case 'fill_gap': {
      const gaps = answer?.kind === 'fill_gap' ? answer.gaps : {};
      let n = 0;
      return (
        <p className={classes.gaps}>
          {q.segments.map((s, at) => {
            // Two gaps may have the same words between them.
            // biome-ignore lint/suspicious/noArrayIndexKey: the segments of a question do not change their order
            if (typeof s === 'string') return <span key={at}>{s}</span>;
            n += 1;
            return (
              <TextInput
                key={s.gap}
                component="input"
                className={classes.gap}
                aria-label={`Gap ${n}`}
                disabled={disabled}
                value={gaps[s.gap] ?? ''}
                autoComplete="off"
                autoCapitalize="none"
                onChange={(e) => onChange({ kind: 'fill_gap', gaps: { ...gaps, [s.gap]: e.currentTarget.value } })}
              />
            );
          })}
        </p>
      );
    }
    case 'free_text': {
      const text = answer?.kind === 'free_text' ? answer.text : '';
      return (
        <Textarea
          aria-label={nameOf(q)}
          autosize={false}
          rows={5}
          disabled={disabled}
          value={text}
          maxLength={10_000}
          description={q.min_words > 0 ? `${words(text)} of at least ${q.min_words} words` : undefined}
          onChange={(e) => onChange({ kind: 'free_text', text: e.currentTarget.value })}
        />
      );
    }
  }
};
