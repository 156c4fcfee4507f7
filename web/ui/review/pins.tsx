import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { type Box, boxBetween, boxWithin, movedBox } from './place.ts';
import { sayBox } from './place-words.ts';
import type { StageProps } from './view-file.ts';
import { percentIn, type Point } from './zoom.ts';

type Props = Pick<StageProps, 'comments' | 'selected' | 'onSelect' | 'writing'> & {
  /** Null where one may only look. */
  onPlace: ((box: Box) => void) | null;
  /** Of several that one stage shows. */
  page?: number;
};

/** Over a picture, a page or a film: numbered points and regions. A click places a point, a drag a region. */
export function Pins({ comments, selected, onSelect, writing, onPlace, page }: Props) {
  const layer = useRef<HTMLDivElement>(null);
  const { drag, handlers } = usePlacing(onPlace);
  const { box: written, page: writtenPage } = writing?.place ?? {};
  return (
    <div ref={layer} className={onPlace ? 'pin-layer places' : 'pin-layer'} {...handlers}>
      {comments.map(
        ({ id, number, place }) =>
          place?.box &&
          id !== writing?.id && (
            <Marked key={id} box={place.box} isSelected={id === selected}>
              <Pin
                number={number}
                label={`${number}: ${sayBox(place.box)}`}
                isSelected={id === selected}
                onClick={() => onSelect(id)}
              />
            </Marked>
          ),
      )}
      {drag && <Marked box={drag} isSelected />}
      {writing && written && (page === undefined || writtenPage === page) && !drag && (
        <DraftPin number={writing.number} box={written} layer={layer} onPlace={onPlace} />
      )}
    </div>
  );
}

type PinProps = { number: number; label: string; isSelected: boolean; onClick: () => void };

export const Pin = ({ number, label, isSelected, onClick }: PinProps) => (
  <button
    type="button"
    className={isSelected ? 'pin selected' : 'pin'}
    aria-label={label}
    aria-pressed={isSelected}
    onClick={onClick}
  >
    {number}
  </button>
);

const Marked = ({ box, isSelected, children }: { box: Box; isSelected: boolean; children?: React.ReactNode }) => (
  <>
    {(box.w > 0 || box.h > 0) && (
      <span
        className={isSelected ? 'region selected' : 'region'}
        style={{ left: `${box.x}%`, top: `${box.y}%`, width: `${box.w}%`, height: `${box.h}%` }}
      />
    )}
    <span className="pin-place" style={{ left: `${box.x + box.w}%`, top: `${box.y}%` }}>
      {children}
    </span>
  </>
);

type DraftProps = {
  number: number;
  box: Box;
  layer: React.RefObject<HTMLDivElement | null>;
  onPlace: Props['onPlace'];
};

/** Can be dragged, and moved by the arrow keys. */
function DraftPin({ number, box, layer, onPlace }: DraftProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    const next = movedBox(box, event.key, event.shiftKey);
    if (!next) return;
    event.preventDefault();
    onPlace?.(next);
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    if (!layer.current || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const at = percentIn(layer.current.getBoundingClientRect(), event);
    onPlace?.(boxWithin({ ...box, x: at.x - box.w, y: at.y }));
  };
  return (
    <Marked box={box} isSelected>
      <button
        type="button"
        className="pin selected draft"
        aria-label={`Place of comment ${number}: ${sayBox(box)}. Arrow keys move it, with shift by ten.`}
        onKeyDown={onKeyDown}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={onPointerMove}
      >
        {number}
      </button>
    </Marked>
  );
}

/** Milliseconds until a finger places a point, and pixels that it may tremble until then. */
const longPress = 500;
const tremble = 10;

function usePlacing(onPlace: ((box: Box) => void) | null) {
  const [ends, setEnds] = useState<{ from: Point; to: Point } | null>(null);
  const press = useRef<{ timer: ReturnType<typeof setTimeout>; x: number; y: number } | null>(null);
  const release = () => {
    clearTimeout(press.current?.timer);
    press.current = null;
  };
  useEffect(() => release, []);
  const at = (event: PointerEvent<HTMLElement>) => percentIn(event.currentTarget.getBoundingClientRect(), event);
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    const isPin = event.target instanceof Element && event.target.closest('.pin');
    if (!onPlace || isPin || event.button !== 0) return;
    const from = at(event);
    if (event.pointerType !== 'touch') {
      event.currentTarget.setPointerCapture(event.pointerId);
      return setEnds({ from, to: from });
    }
    // A second finger is a pinch.
    if (press.current) return release();
    const timer = setTimeout(() => {
      release();
      onPlace(boxBetween(from, from));
    }, longPress);
    press.current = { timer, x: event.clientX, y: event.clientY };
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    if (ends) return setEnds({ ...ends, to: at(event) });
    const start = press.current;
    if (start && Math.hypot(event.clientX - start.x, event.clientY - start.y) > tremble) release();
  };
  const onPointerUp = () => {
    release();
    if (ends) onPlace?.(boxBetween(ends.from, ends.to));
    setEnds(null);
  };
  const onPointerCancel = () => (release(), setEnds(null));
  const drag = ends && boxBetween(ends.from, ends.to);
  return {
    drag: drag && drag.w + drag.h > 0 ? drag : null,
    handlers: { onPointerDown, onPointerMove, onPointerUp, onPointerCancel },
  };
}
