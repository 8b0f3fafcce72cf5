/** Steps that have to be brought into their order, with buttons: no dragging, so that everybody can do it. */
window.Lantern.Order = window.Lantern.activity((activity, place, redraw) => {
  const { element } = window.Lantern;
  const { task, steps, mixed, good, again } = activity.params;
  const { state } = activity;
  state.order = state.order ?? mixed;
  const move = (from, to) => {
    state.order = state.order.map((step, i) => (i === from ? state.order[to] : i === to ? state.order[from] : step));
    state.checked = false;
    activity.change();
    redraw();
  };
  const right = state.order.filter((step, i) => step === i).length;
  place.append(
    element('p', {}, task),
    element(
      'ol',
      {},
      ...state.order.map((step, i) =>
        element(
          'li',
          { class: `step ${state.checked ? (step === i ? 'right' : 'wrong') : ''}` },
          element('span', {}, `${i + 1}. ${steps[step]}${state.checked ? (step === i ? ' ✓' : ' ✗') : ''}`),
          element(
            'button',
            {
              type: 'button',
              'data-focus': `up-${step}`,
              'aria-label': `Move “${steps[step]}” up`,
              disabled: i === 0,
              onclick: () => move(i, i - 1),
            },
            '↑',
          ),
          element(
            'button',
            {
              type: 'button',
              'data-focus': `down-${step}`,
              'aria-label': `Move “${steps[step]}” down`,
              disabled: i === steps.length - 1,
              onclick: () => move(i, i + 1),
            },
            '↓',
          ),
        ),
      ),
    ),
    element(
      'button',
      {
        type: 'button',
        class: 'main',
        'data-focus': 'check',
        'data-next': true,
        onclick: () => {
          state.checked = true;
          redraw();
          activity.finish(right, steps.length);
        },
      },
      'Check',
    ),
    element(
      'p',
      { class: 'result', role: 'status' },
      state.checked ? `${right} of ${steps.length} in their place. ${right === steps.length ? good : again}` : '',
    ),
  );
});
