import { Drawer } from '@mantine/core';
import type { ReactNode } from 'react';

type Props = { title: string; opened: boolean; onClose: () => void; children: ReactNode };

/** The navigation on a phone. */
export const NavigationDrawer = ({ title, opened, onClose, children }: Props) => (
  <Drawer opened={opened} onClose={onClose} size={280} title={title} padding="md">
    <div className="stack">{children}</div>
  </Drawer>
);
