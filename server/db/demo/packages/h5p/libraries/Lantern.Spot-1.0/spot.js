/** Things to be found in a picture. Every place is a button, so that it can be done with a keyboard and heard. */
window.Lantern.Spot = window.Lantern.activity((activity, place, redraw) => {
  const { element } = window.Lantern;
  const { task, picture, alt, places } = activity.params;
  const { state } = activity;
  state.found = state.found ?? [];
  place.append(
    element('p', {}, task),
    element(
      'div',
      { class: 'picture' },
      element('img', { src: H5P.getPath(picture, activity.contentId), alt, onload: () => activity.trigger('resize') }),
      ...places.map(({ name, x, y, size }, i) =>
        element('button', {
          type: 'button',
          class: state.found.includes(i) ? 'right' : '',
          'data-focus': `place-${i}`,
          'aria-label': `${name}${state.found.includes(i) ? ', found' : ''}`,
          style: `left:${x}%;top:${y}%;width:${size}%;aspect-ratio:1`,
          onclick: () => {
            if (state.found.includes(i)) return;
            state.found = [...state.found, i];
            activity.change();
            redraw();
            if (state.found.length === places.length) activity.finish(places.length, places.length);
          },
        }),
      ),
    ),
    element('ol', {}, ...state.found.map((i) => element('li', { class: 'step right' }, `✓ ${places[i].name}: ${places[i].why}`))),
    element('p', { class: 'result', role: 'status' }, `${state.found.length} of ${places.length} found.`),
  );
});
