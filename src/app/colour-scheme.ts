/** Sets light or dark before the first paint and whenever the device's setting changes, so that no screen flashes. */
const darkDevice = matchMedia('(prefers-color-scheme: dark)');
const apply = () => {
  const chosen = localStorage.getItem('mantine-color-scheme-value');
  const dark = chosen === 'dark' || (chosen !== 'light' && darkDevice.matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
};

export const followColourScheme = () => {
  apply();
  darkDevice.addEventListener('change', apply);
};
