/** A widget of an arrangement: in its order, shown or hidden. */
export type ArrangedWidget = { id: string; hidden: boolean };

/**
 * Arranges the widgets that there are by what was saved. What was saved and is not there any more is left out; a widget that it
 * does not know stands, shown, behind the one that it follows where nothing is arranged.
 */
export const arrangeWidgets = (there: readonly string[], saved: readonly ArrangedWidget[]): ArrangedWidget[] => {
  const arranged: ArrangedWidget[] = [];
  for (const { id, hidden } of saved) if (there.includes(id) && !arranged.some((w) => w.id === id)) arranged.push({ id, hidden });
  for (const [place, id] of there.entries()) {
    if (arranged.some((w) => w.id === id)) continue;
    // All before it are arranged by now.
    const before = there[place - 1];
    arranged.splice(arranged.findIndex((w) => w.id === before) + 1, 0, { id, hidden: false });
  }
  return arranged;
};
