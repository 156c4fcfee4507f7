import { ActionIcon, Box, Flex } from '@mantine/core';
import { useNetwork } from '@mantine/hooks';
import { type ReactNode, useEffect, useRef } from 'react';
import { IconChevronLeft, IconChevronRight, IconDownload, IconX } from '../look/icons.ts';
import { sayDropped } from './compare.ts';
import type { ViewFile } from './view-file.ts';

type Props = {
  title: string;
  subtitle: ReactNode;
  onClose: (() => void) | null;
  /** On a phone: the open file, between the ways to its neighbors. */
  phone: { name: string | undefined; words: ReactNode; onBefore: (() => void) | null; onNext: (() => void) | null };
  /** At the right, where there is room for them. */
  actions: ReactNode;
  /** At the right on a phone. */
  menu?: ReactNode;
};

/** The heading is focused, so that a screen reader begins there. */
export function ReviewHead({ title, subtitle, onClose, phone, actions, menu }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <Flex component="header" className="review-head line-below" align="center" gap={12}>
      {onClose && (
        <ActionIcon onClick={onClose} aria-label="Close the review" size={34}>
          <IconX size={18} />
        </ActionIcon>
      )}
      <Box component="h1" ref={heading} tabIndex={-1} className="one-line heard-on-phone" fz={15} fw={600}>
        {title}
      </Box>
      <Box component="span" className="wide-only small second" flex="none">
        {subtitle}
      </Box>
      <Flex className="phone-only small second" align="center" justify="center" flex={1} miw={0} ta="center">
        <Neighbor label="File before" icon={IconChevronLeft} onGo={phone.onBefore} />
        <span className="one-line">
          <Box component="strong" className="one-line ink" display="block" fz={14} fw={600}>
            {phone.name}
          </Box>
          {phone.words}
        </span>
        <Neighbor label="Next file" icon={IconChevronRight} onGo={phone.onNext} />
      </Flex>
      <Flex className="push wide-only" align="center" gap={8}>
        {actions}
      </Flex>
      {menu && <Flex className="phone-only">{menu}</Flex>}
    </Flex>
  );
}

const Neighbor = ({ label, icon: Icon, onGo }: { label: string; icon: typeof IconX; onGo: (() => void) | null }) => (
  <ActionIcon size={40} onClick={() => onGo?.()} disabled={!onGo} aria-label={label} bg={onGo ? undefined : 'none'}>
    <Icon size={18} />
  </ActionIcon>
);

/** The banner of the page is below the review. */
export function Offline() {
  const { online } = useNetwork();
  return online ? null : (
    <div className="banner" role="status">
      No connection. This page may be out of date; what you write is kept in this browser.
    </div>
  );
}

type LineProps = { name: string; words: ReactNode; count: string; children?: ReactNode };

/** Above the file: its name, and which of how many it is. */
export const FileLine = ({ name, words, count, children }: LineProps) => (
  <Flex
    component="h2"
    className="file-line heard-on-phone small second"
    align="center"
    gap={12}
    px={16}
    py={8}
    fw={400}
  >
    <span className="breaks">
      <Box component="strong" className="ink" fw={500}>
        {name}
      </Box>
      {words}
    </span>
    <span className="push numbers">{count}</span>
    {children}
  </Flex>
);

/** Names the files of the earlier delivery that are not in the later one. */
export const Dropped = ({ files, from = 'this delivery' }: { files: ViewFile[]; from?: string }) =>
  files.length > 0 && (
    <Box component="details" className="line-below small second" px={16} py={8} mah="30%" style={{ overflow: 'auto' }}>
      <summary>{sayDropped(files, from)}</summary>
      <ul>
        {files.map(({ id, file_name: name }) => (
          <li key={id} className="breaks">
            <bdi>{name}</bdi>
          </li>
        ))}
      </ul>
    </Box>
  );

export const Download = ({ file: { url, file_name: name }, size }: { file: ViewFile; size: number }) =>
  url && (
    <ActionIcon component="a" href={url} download={name} size={size} aria-label={`Download ${name}`}>
      <IconDownload size={16} />
    </ActionIcon>
  );
