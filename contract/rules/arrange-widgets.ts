/** A widget of an arrangement: in order, shown or hidden. */
export type ArrangedWidget = { id: string; hidden: boolean };

/**
 * Arranges the existing widgets by a saved arrangement. Saved widgets that no longer exist are dropped; a widget that is not in the
 * arrangement is shown behind the one that it follows in the default order.
 */
export const arrangeWidgets = (there: readonly string[], saved: readonly ArrangedWidget[]): ArrangedWidget[] => {
  const arranged: ArrangedWidget[] = [];
  for (const { id, hidden } of saved) if (there.includes(id) && !arranged.some((w) => w.id === id)) arranged.push({ id, hidden });
  for (const [place, id] of there.entries()) {
    if (arranged.some((w) => w.id === id)) continue;
    // All widgets before it are arranged by now.
    const before = there[place - 1];
    arranged.splice(arranged.findIndex((w) => w.id === before) + 1, 0, { id, hidden: false });
  }
  return arranged;
};
