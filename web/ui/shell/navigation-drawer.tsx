import { Drawer, type DrawerProps } from '@mantine/core';
import { useFocusBack } from '../dialog/focus-back.ts';

export function NavigationDrawer({ children, ...props }: DrawerProps) {
  useFocusBack(props.opened);
  return (
    <Drawer returnFocus={false} size={280} padding="md" {...props}>
      <div className="stack">{children}</div>
    </Drawer>
  );
}
