/** Elements of a web page that hold nothing somebody wrote: they go with all that is in them, wherever foreign HTML is read. */
export const elementsWithoutText = (
  'script style meta link title base template noscript iframe object embed applet svg math canvas audio video source track ' +
  'select button textarea input hr xml'
).split(' ');
