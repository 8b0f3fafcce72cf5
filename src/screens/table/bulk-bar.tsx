import { Button, Textarea } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type * as z from 'zod/mini';
import { texts } from '#contract/texts.ts';
import { sentenceOf } from '#src/api/call.ts';
import type { Result } from '#src/api/transport.ts';
import classes from '#src/screens/table/table.module.css';
import type { Done } from '#src/screens/use-action.ts';
import { notify } from '#src/ui/notify.ts';

/** The outcome of a bulk action: done by it, already done in the meantime, and failures in words. */
export type BulkOutcome<R> = { done: readonly R[]; gone: readonly R[]; failed: readonly string[] };

type Offered<R> = {
  label: string;
  icon?: ReactNode;
  /** The rows to which it applies. */
  fits?: (row: R) => boolean;
  /** The most rows that it takes at once. For more it cannot be chosen, and says so. */
  most?: number;
};
/** One call for each row, or one for all. */
type DoneHere<R> = Offered<R> & {
  open?: never;
  danger?: true;
  /** The confirmation before it. */
  question: (rows: readonly R[]) => string;
  /** A text that it needs, with its schema; `confirm` replaces *Send* on the button. */
  text?: { label: string; schema: z.ZodMiniType<string>; confirm?: string };
  done: (count: number) => string;
} & (
    | { each: (row: R, text: string) => Promise<Result<unknown> | Done<unknown>>; all?: undefined }
    | { all: (rows: readonly R[], text: string) => Promise<BulkOutcome<R>>; each?: undefined }
  );
/** A bulk action: done here, or on a page that is opened for the rows. */
export type BulkAction<R> = DoneHere<R> | (Offered<R> & { open: (rows: readonly R[]) => void });

type Props<R> = {
  rows: readonly R[];
  nameOf: (row: R) => string;
  actions: readonly BulkAction<R>[];
  onClear: () => void;
  /** Called with the rows that are done. */
  onDone: (rows: readonly R[]) => void;
  children?: ReactNode;
};

const oneByOne = async <R,>(
  rows: readonly R[],
  each: (row: R) => Promise<Result<unknown> | Done<unknown>>,
  nameOf: (row: R) => string,
): Promise<BulkOutcome<R>> => {
  const done: R[] = [];
  const failed: string[] = [];
  for (const row of rows) {
    const result = await each(row).catch(() => null);
    if (result?.kind === 'ok') done.push(row);
    else failed.push(`${nameOf(row)}: ${result ? sentenceOf(result) : texts.fallback}`);
    // Offline, the others would fail too.
    if (result?.kind === 'unreachable') break;
  }
  return { done, gone: [], failed };
};

/** The actions on the selected rows. */
export const BulkBar = <R,>({ rows, nameOf, actions, onClear, onDone, children }: Props<R>) => {
  const [asked, setAsked] = useState<DoneHere<R> | null>(null);
  const [busy, setBusy] = useState(false);
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const fitting = (action: BulkAction<R>) => rows.filter((row) => action.fits?.(row) ?? true);
  const run = async (action: DoneHere<R>) => {
    const read = action.text?.schema.safeParse(text);
    if (read && !read.success) return setProblem(read.error.issues[0]?.message ?? texts.fallback);
    setBusy(true);
    const context = read?.data ?? '';
    const { done, gone, failed } = action.all
      ? await action.all(fitting(action), context).catch(() => ({ done: [], gone: [], failed: [texts.fallback] }))
      : await oneByOne(fitting(action), (row) => action.each(row, context), nameOf);
    setBusy(false);
    setAsked(null);
    setText('');
    if (done.length > 0) notify('success', action.done(done.length));
    if (failed.length > 0) notify('error', failed.slice(0, 5).join(' '));
    onDone([...done, ...gone]);
  };
  return (
    <section className={classes.bulk} aria-label="What is selected">
      <strong role="status">{`${rows.length.toLocaleString('en-GB')} selected`}</strong>
      {asked ? (
        <>
          <span>{asked.question(fitting(asked))}</span>
          {asked.text && (
            <Textarea
              className={classes.text}
              label={asked.text.label}
              autosize
              minRows={2}
              maxRows={8}
              value={text}
              error={problem}
              onChange={(e) => {
                setText(e.currentTarget.value);
                setProblem(null);
              }}
            />
          )}
          <Button color={asked.danger ? 'red' : 'brand'} loading={busy} onClick={() => void run(asked)}>
            {asked.text ? (asked.text.confirm ?? 'Send') : asked.label}
          </Button>
          <Button variant="default" disabled={busy} onClick={() => setAsked(null)}>
            {asked.text ? 'Cancel' : 'No'}
          </Button>
        </>
      ) : (
        <>
          <div className={classes.choices}>
            {actions.map((action) => {
              const count = fitting(action).length;
              const isTooMany = action.most !== undefined && count > action.most;
              return (
                count > 0 && (
                  <Button
                    key={action.label}
                    variant="default"
                    leftSection={action.icon}
                    disabled={isTooMany}
                    onClick={() => (action.open ? action.open(fitting(action)) : setAsked(action))}
                  >
                    {isTooMany
                      ? `${action.label} (at most ${action.most?.toLocaleString('en-GB')})`
                      : count === rows.length
                        ? action.label
                        : `${action.label} ${count.toLocaleString('en-GB')}`}
                  </Button>
                )
              );
            })}
            {children}
          </div>
          <Button variant="subtle" onClick={onClear}>
            Clear selection
          </Button>
        </>
      )}
    </section>
  );
};
