import type { File } from '../../client/generated/types.gen.ts';
import { type Box, boxBetween, middle, movedBox } from '../ui/review/place.ts';
import { sayBox } from '../ui/review/place-words.ts';
import { percentIn } from '../ui/review/zoom.ts';
import { sayBytes } from '../ui/upload/bytes.ts';
import { button, element, paragraph, textArea } from './dom.ts';
import { type Note, sayPoster, sayUnseen, takesPins } from './review-state.ts';

type Options = {
  notes: Note[];
  isAsking: boolean;
  onNote(box: Box | null): void;
  onMove(note: Note, box: Box): void;
  onRemove(note: Note): void;
  /** Null where the host opens no links. */
  onOpen: (() => void) | null;
  onBroken(): void;
};

/** A delivered file: its picture with pins, its name, what can be done with it, and the notes. */
export function deliveredFile(file: File, options: Options): HTMLElement {
  const { notes, isAsking, onNote, onOpen, onRemove } = options;
  const fields = notes.flatMap((note, index) => (note.fileId === file.id ? noteField(note, index + 1, onRemove) : []));
  return element('figure', { class: 'file' }, [
    file.poster === null
      ? paragraph(sayUnseen(file, onOpen !== null), 'unseen')
      : element('div', { class: 'ground row' }, [picture(file, file.poster, options)]),
    element('figcaption', { class: 'file-foot row line-above' }, [
      element('span', { class: 'file-name breaks' }, [
        element('bdi', {}, [file.file_name]),
        element('span', { class: 'small second' }, [
          ['', sayBytes(file.size_bytes), sayPoster(file)].filter((part, at) => at === 0 || part).join(' · '),
        ]),
      ]),
      element('span', { class: 'file-actions push' }, [
        isAsking &&
          takesPins(file) &&
          button('Mark a place', 'quiet', () => onNote(middle), labeled('Mark a place in', file, 'mark')),
        isAsking && button('Note', 'quiet', () => onNote(null), labeled('Note on all of', file, 'note-on')),
        onOpen && button('Open', 'quiet', onOpen, labeled('Open', file, 'open')),
      ]),
    ]),
    isAsking && fields.length > 0 && element('ol', { class: 'notes stack-small line-above' }, fields),
  ]);
}

function noteField(note: Note, number: number, onRemove: Options['onRemove']): HTMLElement {
  const attributes = {
    id: `note-${number}`,
    'aria-label': `What to change at place ${number}`,
    placeholder: note.box ? 'What to change here' : 'What to change in this file',
  };
  return element('li', { class: 'note-line' }, [
    element('span', { class: 'note-number', 'aria-hidden': 'true' }, [String(number)]),
    textArea({ value: note.text, rows: 2, most: 2_000, attributes }, (text) => (note.text = text)),
    button('Remove', 'quiet', () => onRemove(note), { id: `remove-${number}`, 'aria-label': `Remove place ${number}` }),
  ]);
}

const labeled = (verb: string, { id, file_name }: File, name: string) => ({
  id: `${name}-${id}`,
  'aria-label': `${verb} ${file_name}`,
});

/** Kept, so that drawing the page again does not load them again. */
const images = new Map<string, HTMLImageElement>();

function imageOf(file: File, url: string, onBroken: () => void): HTMLImageElement {
  const key = `${file.id} ${url}`;
  const attributes = { src: url, alt: file.file_name, draggable: 'false' };
  // The address of a picture in an old conversation has expired.
  const image = images.get(key) ?? element('img', attributes, [], { error: onBroken });
  images.set(key, image);
  return image;
}

function picture(file: File, url: string, options: Options): HTMLElement {
  const { notes, isAsking, onNote, onBroken } = options;
  const takes = isAsking && takesPins(file);
  const pins = notes.flatMap((note, index) =>
    note.fileId === file.id && note.box ? pinOf(note, note.box, index + 1, options) : [],
  );
  const layer = element('div', { class: takes ? 'pin-layer places' : 'pin-layer' }, pins);
  if (takes) takePlaces(layer, onNote);
  return element('div', { class: 'picture' }, [imageOf(file, url, onBroken), layer]);
}

/** A click or tap is a point, a drag with the mouse a region. A finger that moves scrolls. */
function takePlaces(layer: HTMLElement, onNote: Options['onNote']): void {
  let from: { x: number; y: number } | null = null;
  const drawn = element('span', { class: 'region' });
  const at = (event: PointerEvent) => percentIn(layer.getBoundingClientRect(), event);
  layer.addEventListener('pointerdown', (event) => {
    const isPin = event.target instanceof Element && event.target.closest('.pin');
    if (isPin || event.button !== 0) return;
    layer.setPointerCapture(event.pointerId);
    from = at(event);
  });
  layer.addEventListener('pointermove', (event) => {
    if (!from || event.pointerType === 'touch') return;
    const { x, y, w, h } = boxBetween(from, at(event));
    drawn.style.cssText = `left:${x}%;top:${y}%;width:${w}%;height:${h}%`;
    if (w > 0 || h > 0) layer.append(drawn);
  });
  layer.addEventListener('pointercancel', () => (from = null));
  layer.addEventListener('pointerup', (event) => {
    if (from) onNote(boxBetween(from, at(event)));
    from = null;
  });
}

function pinOf(note: Note, box: Box, number: number, { isAsking, onMove }: Options): HTMLElement[] {
  const percent = (x: number, y: number) => `left:${x}%;top:${y}%`;
  const label = `${number}: ${sayBox(box)}${isAsking ? '. Arrow keys move it, with shift by ten.' : ''}`;
  const attributes = { id: `pin-${number}`, type: 'button', class: 'pin', 'aria-label': label };
  const pin = element('button', attributes, [String(number)], {
    keydown(event) {
      const moved = movedBox(box, event.key, event.shiftKey);
      if (!moved || !isAsking) return;
      event.preventDefault();
      onMove(note, moved);
    },
  });
  const place = element('span', { class: 'pin-place' }, [pin]);
  place.style.cssText = percent(box.x + box.w, box.y);
  if (box.w === 0 && box.h === 0) return [place];
  const region = element('span', { class: 'region' });
  region.style.cssText = `${percent(box.x, box.y)};width:${box.w}%;height:${box.h}%`;
  return [region, place];
}
