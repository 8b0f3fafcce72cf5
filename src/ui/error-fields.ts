const focusable = 'input:not([type=hidden]):not([disabled]), textarea:not([disabled]), select:not([disabled]), button:not([disabled])';

/** The element an error belongs to: the field, or the part of the form that shows the error. */
export const fieldIn = (form: HTMLElement, field: string, message: string, except: HTMLElement | null): HTMLElement | null => {
  const name = CSS.escape(field);
  const named = form.querySelector<HTMLElement>(`[data-field="${name}"], [name="${name}"]:not([type=hidden])`);
  if (named) return named;
  // A field without a name is identified by its error message.
  for (const shownError of form.querySelectorAll<HTMLElement>('[id$="-error"]')) {
    if (except?.contains(shownError) || shownError.textContent?.trim() !== message.trim()) continue;
    return form.querySelector<HTMLElement>(`[aria-describedby~="${CSS.escape(shownError.id)}"]`) ?? shownError;
  }
  return null;
};

/**
 * The label of a field: empty if it has none, null if there is no field. In a named part of a form (`data-part`), such as one of
 * several questions, the label includes the name of the part.
 */
export const labelOf = (field: HTMLElement | null): string | null => {
  if (!field) return null;
  const labelled = 'labels' in field ? (field as HTMLInputElement).labels?.[0] : undefined;
  const named = labelled?.textContent ?? field.getAttribute('aria-label') ?? field.querySelector('legend')?.textContent ?? '';
  const label = named.replace(/\s*\*$/, '').trim();
  const part = field.closest('[data-part]')?.getAttribute('data-part') ?? '';
  if (part === '' || label.toLowerCase().includes(part.toLowerCase())) return label;
  return label === '' ? part : `${part}, ${label.charAt(0).toLowerCase()}${label.slice(1)}`;
};

export const showField = (field: HTMLElement): void => {
  const target = field.matches(focusable) ? field : (field.querySelector<HTMLElement>(focusable) ?? field);
  if (!target.matches(focusable)) target.tabIndex = -1;
  target.focus({ preventScroll: true });
  target.scrollIntoView({ block: 'center' });
};
