import { observable } from '#src/lib/observable.ts';

/** The number of saved things that only this page has, because the browser has emptied the device's storage; leaving the page then asks. */
export const onlyHere = observable(0);

if ('document' in globalThis)
  addEventListener('beforeunload', (event) => {
    if (onlyHere.get() > 0) event.preventDefault();
  });
