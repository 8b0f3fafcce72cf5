import type { Picture } from '#src/screens/picture-choice.tsx';

/** The changed fields as form data; an emptied field is inherited again. */
export const changesOf = <V extends Record<string, string | Picture>>(values: V, first: V): FormData => {
  const form = new FormData();
  form.set('_method', 'PATCH');
  for (const [field, value] of Object.entries(values))
    if (JSON.stringify(value) !== JSON.stringify(first[field]))
      form.set(field, value === null ? '' : typeof value === 'string' ? value : 'file' in value ? value.file : '');
  return form;
};
