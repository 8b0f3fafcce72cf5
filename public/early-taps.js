// Runs with the picture of the home page (src/device/last-known.ts): lets it be painted before the app is loaded, and
// keeps a tap on it until the app can answer.
const picture = document.getElementById('last-known');
picture.addEventListener('click', (event) => {
  const control = event.target.closest('button, a, label');
  if (!control) return;
  event.preventDefault();
  const controls = [...picture.querySelectorAll('button, a, label')];
  picture.dataset.tapped = String(controls.indexOf(control));
  control.setAttribute('aria-busy', 'true');
});
const load = () => {
  for (const source of picture.dataset.scripts.split(' ')) {
    const script = document.createElement(source === picture.dataset.main ? 'script' : 'link');
    if (script.tagName === 'SCRIPT') Object.assign(script, { type: 'module', src: source });
    else Object.assign(script, { rel: 'modulepreload', href: source });
    document.head.append(script);
  }
};
requestAnimationFrame(() => setTimeout(load));
