import { Keys, shortcutOf, singleKeysOn, useShortcuts } from '../../ui/shell/shortcuts.tsx';

/** The most useful keys of the page, at its foot. */
export function KeyLine() {
  const hinted = useShortcuts().filter(({ hint }) => hint !== undefined);
  if (!singleKeysOn()) return null;
  return (
    <div className="key-line wide-only" role="group" aria-label="Keys">
      {[...Map.groupBy(hinted, ({ hint }) => hint)].map(([hint, shortcuts]) => (
        <span key={hint}>
          {[...new Set(shortcuts.map(({ keys }) => keys))].map((keys) => (
            <Keys key={keys}>{keys}</Keys>
          ))}{' '}
          {hint}
        </span>
      ))}
      <button type="button" className="link-button push" onClick={() => shortcutOf('?')?.run()}>
        All keys <Keys>?</Keys>
      </button>
    </div>
  );
}
