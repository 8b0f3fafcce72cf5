import type { Picture } from '#src/features/branding/picture-choice.tsx';

/** The changed fields as form data; an emptied field is inherited again. */
export const changesOf = (
  values: Record<string, string>,
  first: Record<string, string>,
  pictures: Record<string, Picture>,
  firstPictures: Record<string, Picture>,
): FormData | null => {
  const form = new FormData();
  form.set('_method', 'PATCH');
  let changes = 0;
  for (const [field, value] of Object.entries(values))
    if (value !== first[field]) {
      form.set(field, value);
      changes++;
    }
  for (const [field, picture] of Object.entries(pictures))
    if (picture !== firstPictures[field]) {
      if (picture && 'file' in picture) form.set(field, picture.file);
      else form.set(field, '');
      changes++;
    }
  return changes > 0 ? form : null;
};
