import { Drawer } from '@mantine/core';
import type { ReactNode } from 'react';
import { useFocusBack } from '../dialog/focus-back.ts';

type Props = { title: string; opened: boolean; onClose: () => void; children: ReactNode };

export function NavigationDrawer({ title, opened, onClose, children }: Props) {
  useFocusBack(opened);
  return (
    <Drawer opened={opened} onClose={onClose} returnFocus={false} size={280} title={title} padding="md">
      <div className="stack">{children}</div>
    </Drawer>
  );
}
