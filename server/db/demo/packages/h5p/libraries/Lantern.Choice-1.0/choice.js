/** Questions with one right answer each; an answer is explained when it was checked. */
window.Lantern.Choice = window.Lantern.activity((activity, place, redraw) => {
  const { element } = window.Lantern;
  const { questions } = activity.params;
  const { state } = activity;
  state.chosen = state.chosen ?? {};
  const isRight = (q) => state.chosen[q] === questions[q].right;
  const score = questions.filter((_, q) => isRight(q)).length;
  place.append(
    ...questions.map(({ ask, options, why }, q) =>
      element(
        'fieldset',
        {},
        element('legend', {}, ask),
        ...options.map((text, o) =>
          element(
            'label',
            { class: `option ${state.checked && state.chosen[q] === o ? (isRight(q) ? 'right' : 'wrong') : ''}` },
            element('input', {
              type: 'radio',
              name: `q${q}`,
              'data-focus': `${q}-${o}`,
              checked: state.chosen[q] === o,
              onchange: () => {
                state.chosen = { ...state.chosen, [q]: o };
                state.checked = false;
                activity.change();
                redraw();
              },
            }),
            text,
          ),
        ),
        ...(state.checked ? [element('p', {}, `${isRight(q) ? 'Right.' : 'Not quite.'} ${why}`)] : []),
      ),
    ),
    element(
      'button',
      {
        type: 'button',
        class: 'main',
        'data-focus': 'check',
        'data-next': true,
        disabled: Object.keys(state.chosen).length < questions.length,
        onclick: () => {
          state.checked = true;
          redraw();
          activity.finish(score, questions.length);
        },
      },
      'Check',
    ),
    element('p', { class: 'result', role: 'status' }, state.checked ? `${score} of ${questions.length} right.` : ''),
  );
});
