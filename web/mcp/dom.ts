type Child = Node | string | null | false | undefined;
type Listeners = { [Name in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[Name]) => void };
export type Attributes = Record<string, string | boolean | undefined>;

const shownOf = (children: Child[]) =>
  children.filter((child) => child !== null && child !== undefined && child !== false);

/** An element. Texts become text nodes, so that nothing that a person wrote is read as markup. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes,
  children: Child[] = [],
  listeners: Listeners = {},
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined && value !== false) made.setAttribute(name, value === true ? '' : value);
  for (const [name, listener] of Object.entries(listeners)) made.addEventListener(name, listener as EventListener);
  made.append(...shownOf(children));
  return made;
}

/** By its id an element is known again when the page is drawn again. */
type Named = Attributes & { id: string };

/** A busy button keeps the focus, which a disabled one would lose. */
export function button(
  text: string,
  kind: 'primary' | 'plain' | 'quiet',
  onClick: () => void,
  { isBusy = false, ...attributes }: Named & { isBusy?: boolean },
): HTMLButtonElement {
  const all = { type: 'button', class: `button ${kind}`, 'aria-disabled': String(isBusy), ...attributes };
  return element('button', all, [text], { click: () => !isBusy && onClick() });
}

export const paragraph = (text: string, className = '') => element('p', { class: className }, [text]);

/** What a person wrote, in its own direction. */
export const words = (text: string, className = '') =>
  element('p', { class: `prose ${className}`, dir: 'auto' }, [text]);

type Section = { id: string; title: string; isBusy: boolean; fault: string | null };
type Action = { label: string; busyLabel: string; onClick: () => void; onBack: () => void };

/** A question with its words, and the two ways on from it. */
export const question = ({ id, title, isBusy, fault }: Section, children: Child[], action: Action) =>
  element('section', { class: 'box stack', 'aria-labelledby': id }, [
    element('h2', { id }, [title]),
    ...children,
    problem(fault),
    element('div', { class: 'row' }, [
      button(isBusy ? action.busyLabel : action.label, 'primary', action.onClick, { id: 'send', isBusy }),
      button('Back', 'plain', action.onBack, { id: 'back', isBusy }),
    ]),
  ]);

/** A field under its label. */
export function field(label: string, input: HTMLElement, hint?: string): HTMLElement {
  return element('label', { class: 'field stack-small' }, [
    element('span', { class: 'field-label' }, [label]),
    hint ? element('span', { class: 'small second' }, [hint]) : null,
    input,
  ]);
}

type TextOptions = { value: string; rows: number; most: number; attributes: Named };

/** What is typed is kept at once, so that nothing is lost when the page is drawn again. */
export const textArea = ({ value, rows, most, attributes }: TextOptions, onInput: (text: string) => void) => {
  const area = element('textarea', { rows: String(rows), maxlength: String(most), dir: 'auto', ...attributes }, [], {
    input: () => onInput(area.value),
  });
  area.value = value;
  return area;
};

/** The button that opened the section. The focus returns to it when the section is closed. */
let opener = '';

/** Replaces what the page shows. The focus and the caret stay, and none is taken from the host. */
export function show(...children: Child[]): void {
  const main = document.querySelector('main')!;
  const { activeElement: focused } = document;
  const hadFocus = document.hasFocus() && focused !== null && main.contains(focused);
  const { scrollTop = 0, id = '' } = focused ?? {};
  const sectionBefore = main.querySelector('h2')?.id;
  main.replaceChildren(...shownOf(children));
  if (!hadFocus) return;
  const same = document.getElementById(id);
  if (same) return focusAgain(focused, same, scrollTop);
  const heading = main.querySelector('h2');
  const isOpened = heading !== null && heading.id !== sectionBefore;
  const back = isOpened ? null : document.getElementById(opener);
  if (isOpened || back) opener = isOpened ? id : '';
  const target = back ?? heading ?? main.querySelector('h1');
  if (target !== back) target?.setAttribute('tabindex', '-1');
  target?.focus({ preventScroll: true });
}

function focusAgain(before: Element, same: HTMLElement, scrollTop: number): void {
  same.focus({ preventScroll: true });
  same.scrollTop = scrollTop;
  // A date has no caret.
  if (isTyped(before) && isTyped(same) && same.selectionStart !== null)
    same.setSelectionRange(before.selectionStart, before.selectionEnd);
}

const isTyped = (element: Element) => element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;

export const problem = (text: string | null) =>
  text !== null && element('p', { class: 'bad breaks', role: 'alert' }, [text]);
