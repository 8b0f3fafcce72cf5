const focusable = 'input:not([type=hidden]):not([disabled]), textarea:not([disabled]), select:not([disabled]), button:not([disabled])';

/** The element that an error belongs to: the field itself, or the part of the form that says it. */
export const fieldIn = (form: HTMLElement, field: string, message: string, except: HTMLElement | null): HTMLElement | null => {
  const name = CSS.escape(field);
  const named = form.querySelector<HTMLElement>(`[data-field="${name}"], [name="${name}"]:not([type=hidden])`);
  if (named) return named;
  // A field that has no name here is known by what it says of itself.
  for (const said of form.querySelectorAll<HTMLElement>('[id$="-error"]')) {
    if (except?.contains(said) || said.textContent?.trim() !== message.trim()) continue;
    return form.querySelector<HTMLElement>(`[aria-describedby~="${CSS.escape(said.id)}"]`) ?? said;
  }
  return null;
};

/** What a field is called on the screen: empty where it has no name of its own, null where there is no field. */
export const labelOf = (field: HTMLElement | null): string | null => {
  if (!field) return null;
  const labelled = 'labels' in field ? (field as HTMLInputElement).labels?.[0] : undefined;
  const named = labelled?.textContent ?? field.getAttribute('aria-label') ?? field.querySelector('legend')?.textContent ?? '';
  return named.replace(/\s*\*$/, '').trim();
};

export const showField = (field: HTMLElement): void => {
  const target = field.matches(focusable) ? field : (field.querySelector<HTMLElement>(focusable) ?? field);
  if (!target.matches(focusable)) target.tabIndex = -1;
  target.focus({ preventScroll: true });
  target.scrollIntoView({ block: 'center' });
};
