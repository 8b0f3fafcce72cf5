// Keeps the last tap on the picture of the home page (src/device/last-known.ts) until the app can answer it.
document.getElementById('last-known').addEventListener('click', (event) => {
  const control = event.target.closest('button, a, label');
  if (!control) return;
  event.preventDefault();
  const controls = [...event.currentTarget.querySelectorAll('button, a, label')];
  event.currentTarget.dataset.tapped = String(controls.indexOf(control));
  control.setAttribute('aria-busy', 'true');
});
