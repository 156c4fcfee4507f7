import { Box, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronUp } from '../../ui/look/icons.ts';
import { type ReactNode, useState } from 'react';
import { usePhone } from '../../ui/page/use-phone.ts';

type Props = {
  title: string;
  summary: ReactNode;
  /** `phone`: only there. Otherwise its panels stand open. */
  when: 'phone' | 'always';
  children: ReactNode;
};

export function Fold({ title, summary, when, children }: Props) {
  const phone = usePhone();
  const [open, setOpen] = useState(false);
  if (when === 'phone' && !phone) return children;
  const Mark = open ? IconChevronUp : IconChevronDown;
  return (
    <section className={phone ? 'fold' : 'panel fold'} aria-label={title}>
      <h2>
        <UnstyledButton
          className="row"
          w="100%"
          mih={46}
          px={16}
          fz={phone ? 15 : 13}
          fw={phone ? 500 : 600}
          style={{ flexWrap: 'nowrap' }}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          {title}{' '}
          <Box component="span" className={phone ? 'second push' : 'second'} fz={13} fw={400}>
            {summary}
          </Box>
          <Mark size={16} className={phone ? 'second' : 'second push'} aria-hidden />
        </UnstyledButton>
      </h2>
      {open && <div className="fold-panels">{children}</div>}
    </section>
  );
}
