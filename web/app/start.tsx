import '@mantine/core/styles/baseline.css';
import '@mantine/core/styles/default-css-variables.css';
import '@mantine/core/styles/global.css';
import '@mantine/core/styles/ScrollArea.css';
import '@mantine/core/styles/UnstyledButton.css';
import '@mantine/core/styles/VisuallyHidden.css';
import '@mantine/core/styles/Paper.css';
import '@mantine/core/styles/Popover.css';
import '@mantine/core/styles/CloseButton.css';
import '@mantine/core/styles/Group.css';
import '@mantine/core/styles/Flex.css';
import '@mantine/core/styles/Loader.css';
import '@mantine/core/styles/Overlay.css';
import '@mantine/core/styles/ModalBase.css';
import '@mantine/core/styles/Input.css';
import '@mantine/core/styles/InlineInput.css';
import '@mantine/core/styles/Combobox.css';
import '@mantine/core/styles/Text.css';
import '@mantine/core/styles/ActionIcon.css';
import '@mantine/core/styles/Button.css';
import '@mantine/core/styles/Checkbox.css';
import '@mantine/core/styles/Drawer.css';
import '@mantine/core/styles/Menu.css';
import '@mantine/core/styles/Modal.css';
import '@mantine/core/styles/Notification.css';
import '@mantine/core/styles/PasswordInput.css';
import '@mantine/core/styles/SegmentedControl.css';
import '@mantine/core/styles/Radio.css';
import '@mantine/core/styles/Skeleton.css';
import '@mantine/core/styles/Tooltip.css';
import '@mantine/core/styles/Switch.css';
import '@mantine/core/styles/FloatingIndicator.css';
import '@mantine/notifications/styles.css';
import '@mantine/spotlight/styles.css';
import '../ui/look/face.css';
import '../ui/look/tokens.css';
import '../ui/look/base.css';
import '../ui/look/mantine.css';
import '../ui/look/classes.css';
import '../ui/page/page.css';
import '../ui/list/list.css';
import '../ui/shell/shell.css';
import '../ui/upload/upload.css';
import '../ui/preview/preview.css';
import '../ui/thread/thread.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { setNonce } from 'get-nonce';
import { type AnyRouter, RouterProvider } from '@tanstack/react-router';
import { startTransition, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api.ts';
import { adoptFirstReads } from './read-queries.ts';
import { noteFocus } from '../ui/dialog/focus-back.ts';
import { KeyListener } from '../ui/shell/key-listener.tsx';
import { cssVariablesResolver, theme } from '../ui/shell/theme.ts';
import { useLater } from '../ui/page/use-later.ts';
import { part } from '../ui/page/part.tsx';

const Notifications = part(() => import('@mantine/notifications'), 'Notifications');

const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
// Scroll locks inject styles.
setNonce(nonce);

/** Renders an app once its page and first data have loaded. */
export async function start(router: AnyRouter): Promise<void> {
  noteFocus();
  await Promise.all([router.load(), adoptFirstReads()]);
  const app = (
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariablesResolver}
        defaultColorScheme="auto"
        getStyleNonce={() => nonce}
      >
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
          <Notices />
          <KeyListener />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>
  );
  // Rendered in slices, so that a slow phone stays responsive.
  startTransition(() => createRoot(document.getElementById('root')!).render(app));
}

const Notices = () => useLater() && <Notifications position="bottom-right" autoClose={6_000} />;
