import { IconTemplate } from '../../ui/look/icons.ts';
import { Suspense, useState } from 'react';
import { useReadOnlyReason } from '../../app/session/session.tsx';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { part } from '../../ui/page/part.tsx';
import type { OrderDraft } from './draft/use-order-draft.ts';

const SaveTemplateDialog = part(() => import('./save-template-dialog.tsx'), 'SaveTemplateDialog');

/** Keeps what a draft has, to start from again. `reason`: why there is nothing to keep yet. */
export function SaveTemplate({ draft, reason }: { draft: OrderDraft; reason: string | null }) {
  const [isOpen, setIsOpen] = useState(false);
  const readOnly = useReadOnlyReason();
  return (
    <>
      <ActionButton
        variant="subtle"
        icon={<IconTemplate size={16} />}
        reason={readOnly ?? reason}
        onClick={() => setIsOpen(true)}
      >
        Save as template
      </ActionButton>
      {isOpen && (
        <Suspense fallback={null}>
          <SaveTemplateDialog draft={draft} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
