/** Moves the focus to the first main heading in a part of a page, so that a screen reader announces what has replaced the former content. */
export const focusHeading = (within: HTMLElement | null) => {
  const heading = within?.querySelector('h1');
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
};
