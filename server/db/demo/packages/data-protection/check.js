(() => {
  const { course } = window;
  const questions = [
    {
      id: 'visitor',
      text: 'A neighbour at the door asks why the ambulance came for Mrs Hall last night.',
      answers: [
        'You say that she fell, but that she is well again.',
        'You say that you cannot talk about it, and offer to pass on good wishes.',
        'You say that you were not on shift.',
      ],
      right: 1,
    },
    {
      id: 'sheet',
      text: 'At home you find the handover sheet of your shift in your pocket.',
      answers: [
        'You tear it up and put it into the kitchen bin.',
        'You keep it safe until your next shift and say nothing.',
        'You ring your manager now, and bring it back.',
      ],
      right: 2,
    },
    {
      id: 'photo',
      text: 'A resident laughs at a birthday cake. It would make a lovely picture for the family.',
      answers: [
        'You ask the resident, and use the tablet of the service.',
        'You take it with your phone and delete it afterwards.',
        'You take it and ask later.',
      ],
      right: 0,
    },
    {
      id: 'danger',
      text: 'A man tells you in confidence that his grandson takes his money.',
      answers: [
        'You keep it to yourself: he asked you to.',
        'You tell the whole team, so that everybody watches.',
        'You tell him that you have to pass it on, and tell your manager today.',
      ],
      right: 2,
    },
  ];
  const form = document.getElementById('questions');
  const result = document.getElementById('result');
  for (const [n, q] of questions.entries()) {
    const set = document.createElement('fieldset');
    const legend = document.createElement('legend');
    legend.textContent = `${n + 1}. ${q.text}`;
    set.append(legend);
    for (const [i, text] of q.answers.entries()) {
      const label = document.createElement('label');
      const input = Object.assign(document.createElement('input'), { type: 'radio', name: q.id, value: String(i), required: true });
      label.append(input, text);
      set.append(label);
    }
    form.append(set);
  }
  course.begin();
  const kept = new Map((course.get('cmi.suspend_data') || '').split('|').map((part) => part.split('=')));
  for (const q of questions) {
    const value = kept.get(q.id);
    const input = value === undefined ? null : form.querySelector(`input[name="${q.id}"][value="${value}"]`);
    if (input) input.checked = true;
  }
  const chosen = () => new FormData(form);
  form.addEventListener('change', () => {
    course.set('cmi.suspend_data', [...chosen()].map(([name, value]) => `${name}=${value}`).join('|'));
    course.set('cmi.core.exit', 'suspend');
    course.keep();
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const given = chosen();
    const count = Number(course.get('cmi.interactions._count')) || 0;
    let right = 0;
    for (const [n, q] of questions.entries()) {
      const good = Number(given.get(q.id)) === q.right;
      if (good) right++;
      course.set(`cmi.interactions.${count + n}.id`, q.id);
      course.set(`cmi.interactions.${count + n}.type`, 'choice');
      course.set(`cmi.interactions.${count + n}.student_response`, String(given.get(q.id)));
      course.set(`cmi.interactions.${count + n}.result`, good ? 'correct' : 'wrong');
    }
    const score = Math.round((right * 100) / questions.length);
    course.set('cmi.core.score.min', 0);
    course.set('cmi.core.score.max', 100);
    course.set('cmi.core.score.raw', score);
    course.set('cmi.core.lesson_status', score >= 75 ? 'passed' : 'failed');
    course.set('cmi.core.exit', score >= 75 ? '' : 'suspend');
    course.keep();
    result.hidden = false;
    result.textContent =
      score >= 75
        ? `${right} of ${questions.length} right. You have passed.`
        : `${right} of ${questions.length} right. Look at the situations again: who needs to know, how much, and is this the place?`;
    result.scrollIntoView({ block: 'center' });
  });
})();
