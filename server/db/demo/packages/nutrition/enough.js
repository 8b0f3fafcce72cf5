/* A course of one page in SCORM 2004: finds the API above it, goes on where it was left, and says what was done. */
(() => {
  const find = (from) => {
    for (let at = from, i = 0; at && i < 10; at = at.parent, i++) {
      if (at.API_1484_11) return at.API_1484_11;
      if (at === at.parent) break;
    }
    return null;
  };
  const api = find(window);
  const open = api !== null && api.Initialize('') === 'true';
  const get = (name) => (open ? api.GetValue(name) : '');
  const set = (name, value) => {
    if (open) api.SetValue(name, String(value));
  };
  let ended = false;
  const end = () => {
    if (!open || ended) return;
    ended = true;
    api.Terminate('');
  };
  window.addEventListener('pagehide', end);
  window.addEventListener('unload', end);

  const questions = [
    {
      id: 'signs',
      text: 'Mr Bell is muddled since this morning and his urine is dark. What do you do?',
      answers: ['Wait until tomorrow', 'Offer drinks he likes, write it down and tell the senior today', 'Give him his tablets earlier'],
      right: 1,
    },
    {
      id: 'plate',
      text: 'Mrs Rowe leaves half her dinner for the third day. What comes first?',
      answers: ['Ask her, and look at her teeth and her plan', 'Make the portions larger', 'Feed her, so that it goes faster'],
      right: 0,
    },
    {
      id: 'thick',
      text: 'Her drinks have to be thickened. She asks for plain water.',
      answers: ['A sip does no harm', 'Explain, offer what the plan allows, and pass on what she said', 'Leave the glass within reach'],
      right: 1,
    },
  ];
  const pages = [...document.querySelectorAll('section')];
  const [back, next, place, form, result] = ['back', 'next', 'place', 'questions', 'result'].map((id) => document.getElementById(id));
  for (const [n, q] of questions.entries()) {
    const group = document.createElement('fieldset');
    const legend = document.createElement('legend');
    legend.textContent = `${n + 1}. ${q.text}`;
    group.append(legend);
    for (const [i, text] of q.answers.entries()) {
      const label = document.createElement('label');
      label.append(Object.assign(document.createElement('input'), { type: 'radio', name: q.id, value: String(i), required: true }), text);
      group.append(label);
    }
    form.append(group);
  }
  let at = Math.min(Math.max(Number(get('cmi.location')) || 0, 0), pages.length - 1);
  const last = pages.length - 1;
  const show = () => {
    pages.forEach((page, i) => {
      page.hidden = i !== at;
    });
    place.textContent = `Page ${at + 1} of ${pages.length}`;
    back.disabled = at === 0;
    next.textContent = at === last ? 'See how I did' : 'Next page';
    window.scrollTo(0, 0);
    set('cmi.location', at);
    set('cmi.progress_measure', at / pages.length);
    set('cmi.completion_status', 'incomplete');
    set('cmi.exit', 'suspend');
    if (open) api.Commit('');
  };
  const check = () => {
    if (!form.reportValidity()) return;
    const given = new FormData(form);
    const count = Number(get('cmi.interactions._count')) || 0;
    let right = 0;
    for (const [n, q] of questions.entries()) {
      const good = Number(given.get(q.id)) === q.right;
      if (good) right++;
      set(`cmi.interactions.${count + n}.id`, `${q.id}-${count + n}`);
      set(`cmi.interactions.${count + n}.type`, 'choice');
      set(`cmi.interactions.${count + n}.learner_response`, `answer-${given.get(q.id)}`);
      set(`cmi.interactions.${count + n}.result`, good ? 'correct' : 'incorrect');
    }
    const passed = right >= 2;
    set('cmi.score.min', 0);
    set('cmi.score.max', questions.length);
    set('cmi.score.raw', right);
    set('cmi.score.scaled', Math.round((right * 100) / questions.length) / 100);
    set('cmi.success_status', passed ? 'passed' : 'failed');
    set('cmi.progress_measure', 1);
    set('cmi.completion_status', 'completed');
    set('cmi.exit', passed ? 'normal' : 'suspend');
    if (open) api.Commit('');
    result.hidden = false;
    result.textContent = `${right} of ${questions.length} right. ${passed ? 'You have passed.' : 'Look at the pages again, then try once more.'}`;
  };
  back.addEventListener('click', () => {
    at--;
    show();
  });
  next.addEventListener('click', () => {
    if (at === last) check();
    else {
      at++;
      show();
    }
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    check();
  });
  show();
})();
