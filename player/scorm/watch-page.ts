/** Errors in a package's pages, with the host, file or message to report to its author. */
export type PageProblem = { problem: 'blocked' | 'missing' | 'script'; detail: string };

/** Elements that load a URL when parsed; the policy blocks other hosts. */
const loading =
  'script[src], link[rel~="stylesheet"][href], img[src], iframe[src], frame[src], video[src], audio[src], source[src], embed[src], object[data]';
const hostOf = (address: string, base: string): string | null => {
  try {
    const url = new URL(address, base);
    return /^https?:$/.test(url.protocol) && url.origin !== location.origin ? url.host : null;
  } catch {
    return null;
  }
};

/**
 * Hides WebRTC. The connection allowlist (`contentHeaders`) blocks it, and Chromium (seen with 156) ends the page's process
 * if a nested frame uses it, which would end the course. This is no security measure: a package can get WebRTC from a new frame,
 * and only ends itself.
 */
const hideWebRtc = (inside: Window): void => {
  for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection']) Reflect.deleteProperty(inside, name);
};

/**
 * Watches a frame and all nested frames from before their pages load, so that blocked requests are noticed during parsing. A
 * window that replaces the initial one is watched from its load event, and its earlier requests are determined from its elements.
 * Each problem is reported once.
 */
export const watchPages = (frame: HTMLIFrameElement, say: (problem: PageProblem) => void, fileOf: (address: string) => string): void => {
  const heard = new WeakSet<Window>();
  const reported = new Set<string>();
  const tell = (problem: PageProblem['problem'], detail: string) => {
    if (reported.has(`${problem} ${detail}`)) return;
    reported.add(`${problem} ${detail}`);
    say({ problem, detail });
  };
  const look = (page: Document) => {
    for (const element of page.querySelectorAll(loading)) {
      const host = hostOf(element.getAttribute('src') ?? element.getAttribute('href') ?? element.getAttribute('data') ?? '', page.baseURI);
      if (host !== null) tell('blocked', host);
    }
    for (const inner of page.querySelectorAll<HTMLIFrameElement>('iframe, frame')) listen(inner);
    // Pages may add frames at any time; their load events reach the document, not the window.
    page.addEventListener('load', (e) => /^I?FRAME$/.test((e.target as Element).tagName ?? '') && listen(e.target as HTMLIFrameElement), true);
  };
  const hear = (inside: Window) => {
    if (heard.has(inside)) return;
    heard.add(inside);
    hideWebRtc(inside);
    inside.addEventListener('securitypolicyviolation', (e) => {
      const host = hostOf(e.blockedURI, location.href);
      if (host !== null) tell('blocked', host);
    });
    // Popups are blocked by a policy without notification.
    inside.addEventListener('click', (e) => {
      const link = (e.target as Element | null)?.closest?.('a[href]');
      const host = link ? hostOf(link.getAttribute('href') ?? '', inside.document.baseURI) : null;
      if (host !== null) tell('blocked', host);
    });
    const opens = inside.open;
    inside.open = (address, ...rest) => {
      const host = hostOf(String(address ?? ''), inside.document.baseURI);
      if (host !== null) tell('blocked', host);
      return opens.call(inside, address, ...rest);
    };
    inside.addEventListener(
      'error',
      (e) => {
        const { target } = e;
        const source = (target as { src?: unknown } | null)?.src;
        if (target && 'tagName' in target) {
          // A missing picture is visible, a missing script is not.
          if ((target as Element).tagName === 'SCRIPT' && typeof source === 'string' && hostOf(source, location.href) === null)
            tell('missing', fileOf(source));
        } else tell('script', String(e.message).slice(0, 300));
      },
      true,
    );
  };
  const watched = new WeakSet<HTMLIFrameElement>();
  const read = (one: HTMLIFrameElement) => {
    try {
      const { contentWindow, contentDocument } = one;
      if (!contentWindow || !contentDocument) return;
      hear(contentWindow);
      look(contentDocument);
    } catch {
      // A page that navigated to another origin cannot be read.
    }
  };
  const listen = (one: HTMLIFrameElement) => {
    read(one);
    if (watched.has(one)) return;
    watched.add(one);
    one.addEventListener('load', () => read(one));
  };
  listen(frame);
};
