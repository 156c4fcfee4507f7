import { Box, Button, SegmentedControl } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconAlertTriangle, IconCheck, IconCopy } from '../look/icons.ts';
import { useState } from 'react';
import { Dialog } from './dialog.tsx';
import { Code } from '../page/code.tsx';

export type Way = { label: string; text: string };

type Props = {
  title: string;
  /** Kept in memory only, and masked. */
  secret: string;
  /** How many leading characters are not secret. */
  shown: (secret: string) => number;
  /** Commands or settings that contain `$ATELIER_KEY`, to be replaced by the secret. */
  ways?: Way[];
  why?: string;
  onClose: () => void;
};

type SecretOrNone = Omit<Props, 'secret'> & { secret: string | null; ifLost: string };

/** Without a secret: its answer was lost, and the repeated one has none. */
export const KeyOnce = ({ secret, ifLost, ...props }: SecretOrNone) =>
  secret !== null ? (
    <Shown secret={secret} {...props} />
  ) : (
    <Dialog opened onClose={props.onClose} title={props.title}>
      <div className="stack">
        <p className="note turn">
          The connection failed when the service answered. It was made, but it is shown only once. {ifLost}
        </p>
        <Button ml="auto" onClick={props.onClose} data-autofocus>
          Close
        </Button>
      </div>
    </Dialog>
  );

const masked = { minWidth: 0, overflow: 'hidden', whiteSpace: 'nowrap' } as const;
const frame = { flex: 1, bd: '1px solid var(--strong-line)', bdrs: 7, px: 12, py: 7, bg: 'var(--sunken)' };

/** Shown once: it can be copied, never revealed, and closing asks whether it was saved. */
function Shown({ title, secret, shown, ways = [], why, onClose }: Props) {
  const clipboard = useClipboard({ timeout: 4_000 });
  const [copied, setCopied] = useState(false);
  const [asking, setAsking] = useState(false);
  const copy = () => {
    clipboard.copy(secret);
    setCopied(true);
    setAsking(false);
  };
  const close = () => (copied ? onClose() : setAsking(true));
  return (
    <Dialog opened onClose={close} title={title} size={620} closeOnClickOutside={false}>
      <div className="stack">
        <div className="row">
          <Box component="span" className="mono" {...frame} style={masked} aria-label="The key, masked">
            {secret.slice(0, shown(secret))}
            <span aria-hidden>{'•'.repeat(24)}</span>
          </Box>
          <Button
            onClick={copy}
            leftSection={clipboard.copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
            data-autofocus
          >
            {clipboard.copied ? 'Copied' : 'Copy'}
          </Button>
        </div>
        <span className="icon-line turn small">
          <IconAlertTriangle size={14} aria-hidden />
          {why ?? 'Shown once. We keep only a fingerprint, so nobody can show it again.'}
        </span>
        {ways.length > 0 && <Ways ways={ways} secret={secret} />}
        {asking && (
          <div className="note turn" role="alert">
            <strong>You have not copied it yet.</strong> Without it you will need a new one.
          </div>
        )}
        <Button
          variant="default"
          ml="auto"
          leftSection={<IconCheck size={16} />}
          // Ignores the second half of a double click, before anybody has seen the secret.
          onClick={({ detail }) => detail < 2 && onClose()}
        >
          {asking ? 'Close without it' : 'I have saved it'}
        </Button>
      </div>
    </Dialog>
  );
}

function Ways({ ways, secret }: { ways: Way[]; secret: string }) {
  const [label, setLabel] = useState(ways[0]?.label ?? '');
  const text = ways.find((way) => way.label === label)?.text ?? '';
  return (
    <>
      {ways.length > 1 && (
        <SegmentedControl
          aria-label="How to use it"
          data={ways.map((way) => way.label)}
          value={label}
          onChange={setLabel}
        />
      )}
      <Code copies={text.replaceAll('$ATELIER_KEY', () => secret)}>{text}</Code>
      <span className="second small">Copying this puts the key where it says $ATELIER_KEY.</span>
    </>
  );
}
