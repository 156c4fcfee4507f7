import { UnstyledButton } from '@mantine/core';
import { Keys, shortcutOf, singleKeysOn, useShortcuts } from '../../ui/shell/shortcuts.tsx';

/** The most useful keys of the page, at its foot. */
export function KeyLine() {
  const hinted = useShortcuts().filter(({ hint }) => hint !== undefined);
  if (!singleKeysOn()) return null;
  return (
    <div className="key-line small second nowrap wide-only" role="group" aria-label="Keys">
      {[...Map.groupBy(hinted, ({ hint }) => hint)].map(([hint, shortcuts]) => (
        <span key={hint}>
          {[...new Set(shortcuts.map(({ keys }) => keys))].map((keys) => (
            <Keys key={keys}>{keys}</Keys>
          ))}{' '}
          {hint}
        </span>
      ))}
      {/* One line, so that nothing above it moves: what does not fit is under this button. */}
      <UnstyledButton
        pos="absolute"
        right={0}
        pl={14}
        bg="var(--page)"
        fz="inherit"
        onClick={() => shortcutOf('?')?.run()}
      >
        All keys <Keys>?</Keys>
      </UnstyledButton>
    </div>
  );
}
