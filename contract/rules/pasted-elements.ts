/** Elements of a web page that hold no text: they are removed with all their content wherever pasted or imported HTML is read. */
export const elementsWithoutText = (
  'script style meta link title base template noscript iframe object embed applet svg math canvas audio video source track ' +
  'select button textarea input hr xml'
).split(' ');
