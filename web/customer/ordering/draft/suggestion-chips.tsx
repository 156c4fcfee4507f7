import { ActionIcon, Button } from '@mantine/core';
import { IconCheck, IconX } from '../../../ui/look/icons.ts';
import { KeyHint, useShortcut } from '../../../ui/shell/shortcuts.tsx';
import type { OrderDraft } from './use-order-draft.ts';

/** What the words of the customer may answer. Nothing of it counts until it is accepted. */
export function SuggestionChips({ draft }: { draft: OrderDraft }) {
  const { suggested } = draft;
  const acceptAll = () => draft.accept(suggested);
  useShortcut('mod+Shift+Enter', 'Accept all', suggested.length > 0 ? acceptAll : null);
  useShortcut('mod+z', 'Undo the last accept', draft.undo);
  if (suggested.length === 0) return null;
  return (
    <section className="understood" aria-label="Suggestions">
      <span className="third small">From your text</span>
      {suggested.map((requirement) => (
        <span key={requirement} className="fact-chip suggested">
          <span className="third">{requirement}</span> {draft.answer(requirement)}
          <ActionIcon size={24} onClick={() => draft.accept([requirement])} aria-label={`Accept ${requirement}`}>
            <IconCheck size={14} />
          </ActionIcon>
          <ActionIcon size={24} onClick={() => draft.dismiss(requirement)} aria-label={`Dismiss ${requirement}`}>
            <IconX size={14} />
          </ActionIcon>
        </span>
      ))}
      <Button size="compact-sm" variant="default" onClick={acceptAll} rightSection={<KeyHint>mod+Shift+Enter</KeyHint>}>
        {suggested.length === 1 ? 'Accept it' : `Accept all ${suggested.length}`}
      </Button>
    </section>
  );
}
