/** An instant as a field of type `datetime-local` writes it, and back; empty and null are the same. */
export const toLocalTime = (instant: string | null): string => {
  if (instant === null) return '';
  const at = new Date(instant);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
};
export const fromLocalTime = (local: string): string | null => (local === '' ? null : new Date(local).toISOString());
