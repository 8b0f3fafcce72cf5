/** Cards to turn over; finished when each was turned once. It has no score. */
window.Lantern.Cards = window.Lantern.activity((activity, place, redraw) => {
  const { element } = window.Lantern;
  const { task, cards } = activity.params;
  const { state } = activity;
  state.seen = state.seen ?? [];
  place.append(
    element('p', {}, task),
    element(
      'div',
      { class: 'cards' },
      ...cards.map(({ front, back }, i) =>
        element(
          'button',
          {
            type: 'button',
            'data-focus': `card-${i}`,
            'aria-pressed': String(state.turned === i),
            onclick: () => {
              const first = !state.seen.includes(i);
              if (first) state.seen = [...state.seen, i];
              state.turned = state.turned === i ? null : i;
              activity.change();
              redraw();
              if (first && state.seen.length === cards.length) activity.triggerXAPI('completed');
            },
          },
          element('strong', {}, front),
          state.turned === i ? back : state.seen.includes(i) ? 'Seen' : 'Turn over',
        ),
      ),
    ),
    element('p', { class: 'result', role: 'status' }, `${state.seen.length} of ${cards.length} turned.`),
  );
});
