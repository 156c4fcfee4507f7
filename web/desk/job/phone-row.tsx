import { UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '../../ui/look/icons.ts';
import { type ReactNode, useState } from 'react';
import { useWide } from './use-wide.ts';

type Props = { title: string; summary: ReactNode; children: ReactNode };

/** On a phone a row that opens; elsewhere just what it holds. */
export function PhoneRow({ title, summary, children }: Props) {
  const [open, setOpen] = useState(false);
  if (useWide()) return children;
  const Mark = open ? IconChevronDown : IconChevronRight;
  return (
    <section className="phone-row" aria-label={title}>
      <UnstyledButton
        className="row"
        w="100%"
        mih={44}
        p="8px 2px"
        fz="inherit"
        style={{ borderTop: '1px solid var(--line)' }}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <strong>{title}</strong> <span className="push second small">{summary}</span>
        <Mark size={16} aria-hidden />
      </UnstyledButton>
      {open && children}
    </section>
  );
}
