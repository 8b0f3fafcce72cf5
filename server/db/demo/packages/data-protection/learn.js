(() => {
  const { course } = window;
  const pages = [...document.querySelectorAll('section')];
  const [back, next, place] = ['back', 'next', 'place'].map((id) => document.getElementById(id));
  course.begin();
  let at = Math.min(Math.max(Number(course.get('cmi.core.lesson_location')) || 0, 0), pages.length - 1);
  const show = () => {
    pages.forEach((page, i) => {
      page.hidden = i !== at;
    });
    place.textContent = `Page ${at + 1} of ${pages.length}`;
    back.disabled = at === 0;
    next.textContent = at === pages.length - 1 ? 'I have read this' : 'Next page';
    window.scrollTo(0, 0);
    course.set('cmi.core.lesson_location', at);
    course.set('cmi.core.exit', 'suspend');
    course.keep();
  };
  back.addEventListener('click', () => {
    at--;
    show();
  });
  next.addEventListener('click', () => {
    if (at < pages.length - 1) {
      at++;
      show();
      return;
    }
    course.set('cmi.core.lesson_status', 'completed');
    course.set('cmi.core.exit', '');
    course.keep();
    next.disabled = true;
    place.textContent = 'Done. Go on with “Check yourself”.';
  });
  show();
})();
