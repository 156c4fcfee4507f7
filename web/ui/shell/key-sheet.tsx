import { Dialog } from '../dialog/dialog.tsx';
import { Keys, useShortcuts } from './shortcuts.tsx';

type Props = { opened: boolean; onClose: () => void };

export function KeySheet({ opened, onClose }: Props) {
  const all = useShortcuts();
  return (
    <Dialog opened={opened} onClose={onClose} title="Keys">
      <dl className="facts">
        {[...Map.groupBy(all, ({ keys }) => keys)].map(([keys, [first]]) => (
          <KeyLine key={keys} keys={keys} label={first?.label ?? ''} />
        ))}
      </dl>
      <p className="small second" style={{ marginTop: 16 }}>
        Single keys can be turned off in the settings.
      </p>
    </Dialog>
  );
}

const KeyLine = ({ keys, label }: { keys: string; label: string }) => (
  <>
    <dt>{label}</dt>
    <dd>
      <Keys>{keys}</Keys>
    </dd>
  </>
);
