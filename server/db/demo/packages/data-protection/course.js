/* The course's side of SCORM 1.2: finds the API above it, and says what was done. */
(() => {
  const find = (from) => {
    for (let at = from, i = 0; at && i < 10; at = at.parent, i++) {
      if (at.API) return at.API;
      if (at === at.parent) break;
    }
    return null;
  };
  const api = find(window);
  let open = false;
  let ended = false;
  window.course = {
    begin() {
      open = api !== null && api.LMSInitialize('') === 'true';
      if (open && api.LMSGetValue('cmi.core.lesson_status') === 'not attempted') api.LMSSetValue('cmi.core.lesson_status', 'incomplete');
    },
    get: (name) => (open ? api.LMSGetValue(name) : ''),
    set(name, value) {
      if (open) api.LMSSetValue(name, String(value));
    },
    keep() {
      if (open) api.LMSCommit('');
    },
    end() {
      if (!open || ended) return;
      ended = true;
      api.LMSFinish('');
    },
  };
  window.addEventListener('pagehide', () => window.course.end());
  window.addEventListener('unload', () => window.course.end());
})();
