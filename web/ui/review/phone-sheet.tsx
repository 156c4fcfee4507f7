import { Box, Flex, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react';

type Props = { count: string; state: ReactNode; foot: ReactNode; isWriting: boolean; children: ReactNode };

const heights = ['closed', 'half', 'whole'] as const;
const words = { closed: 'closed', half: 'half open', whole: 'open' };

const grip = {
  pos: 'absolute',
  top: 7,
  left: 'calc(50% - 18px)',
  w: 36,
  h: 4,
  bdrs: 2,
  bg: 'var(--strong-line)',
} as const;

/** The list of comments: beside the file, on a phone a sheet over it with three heights. */
export function PhoneSheet({ count, state, foot, isWriting, children }: Props) {
  const [height, setHeight] = useState<(typeof heights)[number]>('half');
  const from = useRef<number | null>(null);
  const wasDragged = useRef(false);
  useEffect(() => {
    if (isWriting) setHeight((now) => (now === 'closed' ? 'half' : now));
  }, [isWriting]);
  const next = heights[(heights.indexOf(height) + 1) % heights.length] ?? 'half';
  const onPointerUp = (event: PointerEvent) => {
    const by = from.current === null ? 0 : event.clientY - from.current;
    from.current = null;
    const at = heights.indexOf(height) + (by < -30 ? 1 : by > 30 ? -1 : 0);
    wasDragged.current = Math.abs(by) > 30;
    if (wasDragged.current) setHeight(heights[Math.min(Math.max(at, 0), 2)] ?? 'half');
  };
  return (
    <aside className={`review-list sheet-${height}`} aria-label="Comments">
      <UnstyledButton
        className="phone-only sheet-handle line-below"
        pos="relative"
        display="flex"
        mih={50}
        p="14px 16px 6px"
        bdrs="inherit"
        // The click that ends a drag is none.
        onClick={() => (wasDragged.current ? (wasDragged.current = false) : setHeight(next))}
        onPointerDown={(event) => {
          from.current = event.clientY;
          wasDragged.current = false;
          event.currentTarget.setPointerCapture(event.pointerId);
        }}
        onPointerUp={onPointerUp}
      >
        <Box component="span" {...grip} />
        <strong>{count}</strong>
        <VisuallyHidden>{`the list is ${words[height]}`}</VisuallyHidden>
        <span className="push small second icon-line">{state}</span>
      </UnstyledButton>
      {children}
      {foot && (
        <Box
          className="phone-foot phone-only line-above"
          p="8px 16px calc(12px + env(safe-area-inset-bottom))"
          ta="center"
        >
          {foot}
        </Box>
      )}
    </aside>
  );
}

/** Above the list; on a phone its handle says the same. */
export const ListHead = ({ title, count, children }: { title: string; count: string; children: ReactNode }) => (
  <Flex className="list-head heard-on-phone panel-head" wrap="nowrap" px={18} py={0} fz={12.5}>
    <h2>{title}</h2>
    <span className="second">{count}</span>
    {children}
  </Flex>
);
