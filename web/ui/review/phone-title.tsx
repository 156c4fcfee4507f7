import { ActionIcon } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '../look/icons.ts';
import type { ReactNode } from 'react';

type Props = {
  name: string | undefined;
  children: ReactNode;
  onBefore: (() => void) | null;
  onNext: (() => void) | null;
};

/** On a phone: the open file, between the ways to its neighbors. */
export const PhoneTitle = ({ name, children, onBefore, onNext }: Props) => (
  <span className="review-phone-title">
    <ActionIcon size={40} onClick={() => onBefore?.()} disabled={!onBefore} aria-label="File before">
      <IconChevronLeft size={18} />
    </ActionIcon>
    <span>
      <strong>{name}</strong>
      {children}
    </span>
    <ActionIcon size={40} onClick={() => onNext?.()} disabled={!onNext} aria-label="Next file">
      <IconChevronRight size={18} />
    </ActionIcon>
  </span>
);
