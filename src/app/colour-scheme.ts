/** Sets light or dark before anything is drawn, so that no screen flashes in the wrong one. */
const chosen = localStorage.getItem('mantine-color-scheme-value');
const dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
export {};
