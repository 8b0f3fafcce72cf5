/** What goes wrong in the pages of a package: said with the host, file or message that a person can name to its author. */
export type PageProblem = { problem: 'blocked' | 'missing' | 'script'; detail: string };

/** Elements that load something when they are read; the policy stops what is elsewhere. */
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
 * The allow-list of connections (`connectionAllowlist`) leaves WebRTC nothing to reach, and Chromium (seen with 156) ends the process
 * of a page that asks for it in a frame of another that has the list: the course would be gone in the middle. What is not there is
 * not asked for. It keeps no secret: a package can have it from a new frame, and ends itself.
 */
const hideWebRtc = (inside: Window): void => {
  for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection']) Reflect.deleteProperty(inside, name);
};

/**
 * Listens to a frame and all frames in it, from before their pages are there: what a page loads while it is being read is
 * stopped while it is being read. A window that a browser puts in the place of the first is listened to from its load on,
 * and what it had asked for by then is read from its elements. Each problem is said once.
 */
export const watchPages = (frame: HTMLIFrameElement, say: (problem: PageProblem) => void, fileOf: (address: string) => string): void => {
  const heard = new WeakSet<Window>();
  const said = new Set<string>();
  const tell = (problem: PageProblem['problem'], detail: string) => {
    if (said.has(`${problem} ${detail}`)) return;
    said.add(`${problem} ${detail}`);
    say({ problem, detail });
  };
  const look = (page: Document) => {
    for (const element of page.querySelectorAll(loading)) {
      const host = hostOf(element.getAttribute('src') ?? element.getAttribute('href') ?? element.getAttribute('data') ?? '', page.baseURI);
      if (host !== null) tell('blocked', host);
    }
    for (const inner of page.querySelectorAll<HTMLIFrameElement>('iframe, frame')) listen(inner);
    // A page may open frames at any time: each says when it has loaded, to its document and not to its window.
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
    // Windows that it opens elsewhere are stopped by a policy that tells nobody.
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
          // A picture that is missing is seen to be; a script that is missing is not.
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
      // A page that has left for another origin is not read.
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
