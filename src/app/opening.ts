/** Removes the frame that the server shows on a first visit until the app has come (server/http/first-visit.ts). */
export const removeOpening = () => document.getElementById('opening')?.remove();

/** Has the browser fetch what the home page needs, if the server has named it. Call it when nothing else is waited for. */
export const fetchWhatComes = () => {
  const toCome = document.getElementById('to-come');
  if (!(toCome instanceof HTMLTemplateElement)) return;
  document.head.append(toCome.content);
  toCome.remove();
};
