import { type CSSProperties, useEffect, useRef, useState } from 'react';
import { useWide } from '../ui/page/use-phone.ts';
import { AlertToasts } from './alerts/alert-toasts.tsx';
import { HeldBackToasts } from './job/held-back-toasts.tsx';

/** What went out, and alerts, away from what somebody works in. */
export function Toasts({ alerts }: { alerts: boolean }) {
  const place = useRef<HTMLDivElement>(null);
  const corner = useCorner(place.current);
  const wide = useWide();
  return (
    <div ref={place} className="toasts" style={styleOf(corner, wide)}>
      {alerts && <AlertToasts />}
      <HeldBackToasts />
    </div>
  );
}

type Corner = { top: boolean; right: boolean };
const usual: Corner = { top: false, right: false };

/** A field has its list of texts below it, and the moves of a job are at the top right. */
function cornerFor(focused: Element): Corner {
  const { left, width, top, height } = focused.getBoundingClientRect();
  const isRow = focused.matches('a.row-link');
  if (!isRow && !focused.matches('textarea, input')) return usual;
  const isLow = top + height / 2 > innerHeight / 2;
  return left + width / 2 > innerWidth / 2 ? usual : { top: isLow && !isRow, right: !isLow || isRow };
}

/** Away from what got the focus last. Toasts do not move when they are pressed themselves. */
function useCorner(place: HTMLElement | null): Corner {
  const [corner, setCorner] = useState(usual);
  useEffect(() => {
    const onFocus = ({ target }: FocusEvent) => {
      if (!(target instanceof Element) || place?.contains(target)) return;
      const next = cornerFor(target);
      setCorner((now) => (now.top === next.top && now.right === next.right ? now : next));
    };
    addEventListener('focusin', onFocus);
    return () => removeEventListener('focusin', onFocus);
  }, [place]);
  return corner;
}

const styleOf = ({ top, right }: Corner, wide: boolean): CSSProperties => ({
  ...(top && { top: 'calc(var(--above) + 12px)', bottom: 'auto' }),
  ...(right && wide && { right: 28, left: 'auto' }),
});
