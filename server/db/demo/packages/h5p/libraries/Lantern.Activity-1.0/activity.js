/** What the activities share: elements, reports about the whole activity, and where the person is in it. */
window.Lantern = window.Lantern || {};

window.Lantern.element = (tag, attributes, ...children) => {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name.startsWith('on')) made.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) made.setAttribute(name, value === true ? '' : value);
  }
  made.append(...children);
  return made;
};

/**
 * Makes an activity of a drawing: `draw(activity, place)` shows it. An activity has its `params`, its `state` (what is kept
 * when the person leaves), `change()` to be called when that has changed, and `finish(score, most)`.
 */
window.Lantern.activity = (draw) => {
  const Activity = function (params, contentId, extras) {
    H5P.EventDispatcher.call(this);
    this.params = params;
    this.contentId = contentId;
    this.state = extras?.previousState ?? {};
    this.attach = ($container) => {
      const place = window.Lantern.element('div', { class: 'lantern-activity' });
      $container.get(0).append(place);
      this.triggerXAPI('attempted');
      const redraw = () => {
        const at = document.activeElement?.getAttribute('data-focus');
        place.replaceChildren();
        draw(this, place, redraw);
        if (at) (place.querySelector(`[data-focus="${at}"]:not([disabled])`) ?? place.querySelector('[data-next]'))?.focus();
        this.trigger('resize');
      };
      redraw();
    };
    this.getCurrentState = () => (Object.keys(this.state).length === 0 ? undefined : this.state);
    this.change = () => this.triggerXAPI('interacted');
    this.finish = (score, most) => this.triggerXAPIScored(score, most, 'completed', true, score === most);
  };
  Activity.prototype = Object.create(H5P.EventDispatcher.prototype);
  Activity.prototype.constructor = Activity;
  return Activity;
};
