/** Light or dark, before anything is drawn and whenever the device changes: no screen flashes in the wrong one. */
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
