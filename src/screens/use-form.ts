import { type UseFormReturnType, useForm as useFields } from '@mantine/form';
import { useId, useRef, useState } from 'react';
import type * as z from 'zod/mini';
import type { FieldErrors } from '#src/api/field-errors.ts';
import type { Result } from '#src/api/transport.ts';
import { type DraftOf, useFormDraft } from '#src/screens/form-draft.ts';
import { changesOver } from '#src/screens/moved-since.ts';
import { schemaErrors } from '#src/screens/schema-errors.ts';
import { type Done, type Failed, useAction } from '#src/screens/use-action.ts';
import { useUnsaved } from '#src/screens/unsaved.ts';

/** The input type of a schema, with parts that may not be filled in yet. */
export type Unfilled<I> = { [K in keyof I]?: I[K] | null | undefined };
type LibraryProps = Pick<ReturnType<UseFormReturnType<object>['getInputProps']>, 'onChange' | 'error'> & { 'data-field': string; disabled?: boolean };
/** The library's fields by path: it types paths of each value type in a way that generic code cannot satisfy. */
type ByPath = {
  getInputProps: (path: string, options?: { type: 'checkbox' }) => LibraryProps & { value: unknown };
  setFieldValue: (path: string, to: unknown) => void;
  clearFieldError: (path: string) => void;
};
type Options<S extends z.ZodMiniType, V, T> = {
  /** The schema: the one by which the server parses the same call. */
  schema: S;
  /** The initial values. */
  begin: V | (() => V);
  /** Converts the values for the schema. Field names stay the same. */
  toInput: (values: V) => Unfilled<z.input<S>>;
  /** Sends it. `changed`: the fields that differ from the initial values; `values`: the form's values. */
  save: (data: z.output<S>, changed: Partial<z.output<S>>, values: V) => Promise<Result<T> | Done<T> | Failed>;
  success?: string | ((answer: T) => string);
  onSaved?: (answer: T) => void;
  /** Why a field is read-only; undefined if it is not. */
  locked?: (field: keyof V & string) => string | false | undefined;
  /** Fields with many parts, of which not all are shown: their errors keep the paths of the parts. */
  inParts?: readonly (keyof V & string)[];
  /** Stores drafts on this device under this name until they are saved. */
  draft?: DraftOf;
  /**
   * Reads the values again before a change of something without a version is sent. Fields that only somebody else changed since stay as they
   * are; those that both changed are said, and replaced by saving again. null: they cannot be read, and saving says why.
   */
  latest?: (() => Promise<V | null>) | false;
  /** Drafts are stored in another way: nothing is lost when the form is left. */
  keep?: (values: V) => void;
};

const changedSince = 'Somebody changed this after you typed it. What you typed is shown: saving replaces theirs.';
const changedBeside = (to: unknown) =>
  `Somebody changed this${['string', 'number'].includes(typeof to) && to !== '' ? ` to “${to}”` : ''} while you had it open. Saving again replaces theirs.`;
/** A form validated only by a schema of the contract. Rendered by `Form`; each field takes the props of `field` or `checkbox`. */
export const useForm = <S extends z.ZodMiniType, V extends object, T>({
  schema,
  begin: beginning,
  toInput,
  save,
  success,
  onSaved,
  locked,
  inParts = [],
  draft,
  latest,
  keep,
}: Options<S, V, T>) => {
  const [begin, setBegin] = useState(beginning);
  const id = useId();
  const shown = useRef(new Set<string>());
  shown.current.clear();
  /** An error belongs to the field with its path, or to the field that is a prefix of it. */
  const fieldOf = (path: string) => {
    const [name = ''] = path.split('.');
    return shown.current.has(path) || (inParts as readonly string[]).includes(name) ? path : name;
  };
  const byField = (errors: FieldErrors): FieldErrors =>
    Object.fromEntries(Object.entries(errors).map(([path, message]) => [path === '' || path === 'body' ? 'whole' : fieldOf(path), message]));
  const fields = useFields<V>({
    initialValues: begin,
    validate: (values) => {
      const read = schema.safeParse(toInput(values));
      return read.success ? {} : byField(schemaErrors(read.error));
    },
    onValuesChange: (values) => {
      byPath.clearFieldError('whole');
      keep?.(values);
    },
    enhanceGetInputProps: ({ field }) => {
      shown.current.add(field);
      const why = locked?.(String(field).split('.')[0] as keyof V & string);
      return { 'data-field': field, ...(why ? { disabled: true, description: why } : {}) };
    },
  });
  const byPath = fields as unknown as ByPath;
  const dirty = fields.isDirty();
  const unsaved = useUnsaved(id, dirty && !keep, draft === undefined ? 'lost' : 'draft');
  const formDraft = useFormDraft(draft, begin, fields.values, dirty);
  const sent = useRef(begin);
  const action = useAction(
    async (values: V) => {
      sent.current = values;
      const now = latest ? await latest() : null;
      const { typed, both } = now ? changesOver(begin, values, now) : { typed: values, both: [] };
      if (now && both.length > 0) {
        // Saving again goes on from there.
        restart(now, typed);
        return { kind: 'failed', errors: Object.fromEntries(both.map((field) => [field, changedBeside(now[field])])) };
      }
      const after = toInput(typed) as Record<string, unknown>;
      const data = schema.parse(after) as z.output<S>;
      const changedFrom = (from: V) => {
        const before = toInput(from) as Record<string, unknown>;
        return Object.entries(data as object).filter(([name]) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
      };
      const changed = changedFrom(now ?? begin);
      // Somebody else made the same change: it is sent all the same, as a change has to name something.
      return save(data, Object.fromEntries(changed.length > 0 ? changed : changedFrom(begin)) as Partial<z.output<S>>, typed);
    },
    {
      ...(success ? { success } : {}),
      onDone: (answer) => {
        unsaved.clear();
        void formDraft.drop();
        onSaved?.(answer);
      },
      onFailed: (errors) => fields.setErrors(byField(errors)),
    },
  );
  /** Resets the form to these values; `shown` displays others that are not saved yet. */
  const restart = (to: V, shown = to) => {
    setBegin(to);
    fields.setInitialValues(to);
    fields.setValues(shown);
    fields.resetDirty(to);
  };
  return {
    values: fields.values,
    errors: fields.errors as FieldErrors,
    set: <K extends keyof V & string>(name: K, to: V[K] | ((before: V[K]) => V[K])) => byPath.setFieldValue(name, to),
    /** Sets a part of a field's value: `steps.0`. */
    setPart: byPath.setFieldValue,
    field: <K extends keyof V & string>(name: K) => byPath.getInputProps(name) as LibraryProps & { value: V[K] },
    /** A part of a field's value: `steps.0.days`. */
    part: (path: string) => byPath.getInputProps(path) as LibraryProps & { value: string },
    checkbox: (name: (keyof V & string) | `${keyof V & string}.${string}`) =>
      byPath.getInputProps(name, { type: 'checkbox' }) as unknown as LibraryProps & { checked: boolean },
    /** Clears the errors of this path and of its parts. */
    forget: (path: string) =>
      fields.setErrors(Object.fromEntries(Object.entries(fields.errors).filter(([at]) => at !== path && !at.startsWith(`${path}.`)))),
    submit: fields.onSubmit(action.run),
    restart,
    /** Continues from the saved values. What was typed while saving stays. */
    goOn: (saved: V) => {
      const now = fields.getValues();
      const typed = Object.entries(now).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(sent.current[name as keyof V]));
      restart(saved, { ...saved, ...Object.fromEntries(typed) });
    },
    busy: action.busy,
    dirty,
    unsavedId: id,
    draft: {
      ...formDraft,
      /** Restores a draft. Fields that somebody else changed since get an error, because saving would overwrite the change. */
      resume: () => {
        const moved = formDraft.moved();
        fields.setValues(formDraft.take());
        if (moved.length > 0) fields.setErrors(Object.fromEntries(moved.map((field) => [field, changedSince])));
      },
    },
  };
};
