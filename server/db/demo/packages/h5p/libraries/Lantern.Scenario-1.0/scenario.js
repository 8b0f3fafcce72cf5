/** A conversation: what one says decides how it goes on. Each answer has points; the best way through has them all. */
window.Lantern.Scenario = window.Lantern.activity((activity, place, redraw) => {
  const { element } = window.Lantern;
  const { intro, scenes, most, endings } = activity.params;
  const { state } = activity;
  state.path = state.path ?? [];
  let scene = scenes[0];
  let score = 0;
  place.append(element('p', {}, intro));
  for (const answer of state.path) {
    const { say, reply, points, to } = scene.answers[answer];
    score += points;
    place.append(element('p', { class: 'said' }, scene.heard), element('p', { class: 'said own' }, say));
    if (reply) place.append(element('p', {}, reply));
    scene = scenes.find((s) => s.name === to);
  }
  if (scene) {
    place.append(
      element('p', { class: 'said', role: 'status' }, scene.heard),
      element(
        'div',
        { class: 'answers' },
        ...scene.answers.map(({ say }, i) =>
          element(
            'button',
            {
              type: 'button',
              'data-focus': `${scene.name}-${i}`,
              'data-next': i === 0,
              onclick: () => {
                const { points, to } = scene.answers[i];
                state.path = [...state.path, i];
                activity.change();
                redraw();
                if (!scenes.some((s) => s.name === to)) activity.finish(score + points, most);
              },
            },
            say,
          ),
        ),
      ),
    );
    return;
  }
  const ending = endings.find(({ from }) => score >= from);
  place.append(
    element('p', { class: 'result', role: 'status' }, `${score} of ${most} points. ${ending.text}`),
    element(
      'button',
      {
        type: 'button',
        'data-focus': 'again',
        'data-next': true,
        onclick: () => {
          state.path = [];
          activity.change();
          redraw();
        },
      },
      'Try it another way',
    ),
  );
});
