import type { Engine } from '#tests/engines/engine.ts';
import { until } from '#tests/support/until.ts';

/** An element as a person names it: its role and its text. A string must match the whole text. */
export type Thing = { role: Role; name: string | RegExp; within?: { role: Role; name: string | RegExp } };
type Role =
  | 'button'
  | 'link'
  | 'heading'
  | 'radio'
  | 'checkbox'
  | 'textbox'
  | 'combobox'
  | 'option'
  | 'article'
  | 'dialog'
  | 'radiogroup'
  | 'menuitem'
  | 'text';

type Wanted = { role: Role; name: string; isPattern: boolean };
type Found = { x: number; y: number; text: string; value: string; free: boolean };

/** Runs in the page: finds the visible element, scrolls it to the middle of the window, and returns its position. */
const find = (path: Wanted[]): Found | null => {
  const selectors: Record<string, string> = {
    button: 'button, [role=button], summary',
    link: 'a[href]',
    heading: 'h1, h2, h3, h4, [role=heading]',
    radio: 'input[type=radio]',
    checkbox: 'input[type=checkbox]',
    textbox: 'textarea, input:not([type=radio], [type=checkbox], [type=hidden], [type=file])',
    combobox: 'select, [role=combobox], input[aria-haspopup=listbox]',
    option: '[role=option]',
    article: 'article',
    menuitem: '[role=menuitem]',
    radiogroup: '[role=radiogroup]',
    dialog: 'dialog, [role=dialog]',
    text: 'body *',
  };
  const plain = (text: string | null | undefined) => (text ?? '').replace(/\s+/g, ' ').trim();
  const nameOf = (e: HTMLElement): string => {
    const by = e.getAttribute('aria-labelledby');
    const label =
      e.getAttribute('aria-label') ??
      (by
        ? plain(
            by
              .split(' ')
              .map((id) => document.getElementById(id)?.textContent)
              .join(' '),
          )
        : '');
    if (label) return plain(label);
    const labels = 'labels' in e ? [...((e as HTMLInputElement).labels ?? [])].filter((l) => l !== (e as unknown)) : [];
    if (labels.length > 0) return plain(labels.map((l) => l.textContent).join(' '));
    return plain(e.textContent);
  };
  let roots: HTMLElement[] = [document.body];
  for (const { role, name, isPattern } of path) {
    const fits = (e: HTMLElement) => {
      const own = role === 'text' && [...e.childNodes].every((n) => n.nodeType !== 3 || !plain(n.textContent)) ? '' : nameOf(e);
      return isPattern ? new RegExp(name, 'i').test(own) && own !== '' : own.toLowerCase() === name.toLowerCase();
    };
    roots = roots
      .flatMap((root) => [...root.querySelectorAll<HTMLElement>(selectors[role] as string)])
      .filter((e) => fits(e) && e.checkVisibility({ visibilityProperty: true }));
  }
  const chosen = roots[0];
  if (!chosen) return null;
  const control = chosen as HTMLInputElement;
  const box = chosen.getBoundingClientRect();
  // A radio button's own circle can be a pixel: its words are what one taps.
  const small = box.width < 8 || box.height < 8;
  const target = small ? ((control.labels?.[0] as HTMLElement | undefined) ?? chosen) : chosen;
  target.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
  const r = target.getBoundingClientRect();
  const [x, y] = [Math.round(r.left + r.width / 2), Math.round(r.top + r.height / 2)];
  const top = document.elementFromPoint(x, y);
  const free =
    !control.disabled && top !== null && (target.contains(top) || top.contains(target) || [...(control.labels ?? [])].some((l) => l.contains(top)));
  return { x, y, text: plain(chosen.innerText), value: control.value ?? '', free };
};

const words = ({ role, name, within }: Thing): string => `${role} “${name}”${within ? ` in ${words(within)}` : ''}`;

/** The actions and observations of somebody in front of the device. It waits for everything, as they would. */
export const screenOf = (engine: Engine) => {
  const wanted = ({ role, name }: Thing): Wanted => ({
    role,
    name: typeof name === 'string' ? name : name.source,
    isPattern: typeof name !== 'string',
  });
  const look = (thing: Thing) => engine.evaluate(find, [...(thing.within ? [wanted(thing.within)] : []), wanted(thing)]);
  const see = (thing: Thing, withinMs?: number) => until(words(thing), () => look(thing), withinMs);
  const tap = async (thing: Thing) => {
    // A moving element is tapped where it comes to rest.
    let before = '';
    const at = await until(`${words(thing)}, to tap it`, async () => {
      const found = await look(thing);
      const place = found?.free ? `${found.x} ${found.y}` : '';
      const rests = place !== '' && place === before;
      before = place;
      return rests && found;
    });
    const pointer = [
      { type: 'pointerMove', duration: 0, x: at.x, y: at.y },
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ];
    await engine.act([{ type: 'pointer', id: 'hand', parameters: { pointerType: 'mouse' }, actions: pointer }]);
  };
  const type = (text: string) =>
    engine.act([{ type: 'key', id: 'keys', actions: [...text].flatMap((value) => ['keyDown', 'keyUp'].map((kind) => ({ type: kind, value }))) }]);
  return {
    engine,
    see,
    tap,
    /** The text of an element, once it matches. */
    says: (thing: Thing, pattern: RegExp, withinMs?: number) =>
      until(`${words(thing)} saying ${pattern}`, async () => pattern.exec((await look(thing))?.text ?? ''), withinMs),
    isInSight: async (thing: Thing) => (await look(thing)) !== null,
    textOf: async (thing: Thing) => (await look(thing))?.text ?? '',
    valueIs: (thing: Thing, value: string) => until(`${words(thing)} holding “${value}”`, async () => (await look(thing))?.value === value),
    type,
    fill: async (thing: Thing, text: string) => {
      await tap(thing);
      await type(text);
      await until(`${words(thing)} holding “${text}”`, async () => (await look(thing))?.value === text);
    },
    /** Chooses in a list of the browser's own, which opens outside the page. */
    choose: async (label: string, option: string) => {
      await see({ role: 'combobox', name: label });
      await engine.evaluate(
        (name: string, choice: string) => {
          const select = [...document.querySelectorAll('select')].find(
            (s) => [...s.labels].some((l) => l.textContent?.trim() === name) || s.ariaLabel === name,
          );
          if (!select) throw new Error(`there is no list “${name}”`);
          select.value = [...select.options].find((o) => o.label === choice)?.value ?? '';
          select.dispatchEvent(new Event('change', { bubbles: true }));
        },
        label,
        option,
      );
    },
  };
};
export type Screen = ReturnType<typeof screenOf>;
