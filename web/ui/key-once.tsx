import { Button, Modal } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconAlertTriangle, IconCheck, IconCopy } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { Code } from './code.tsx';

type Props = {
  title: string;
  /** The secret: in memory only, masked on the screen, gone when this closes. */
  secret: string;
  /** How much of its beginning is no secret. */
  shown: number;
  /** A command that works once the secret is put where it says `$ATELIER_KEY`. */
  command?: string;
  /** Why it is shown once. */
  why?: string;
  /** How it is put to use. */
  children?: ReactNode;
  onClose: () => void;
};

/** A secret that is answered once. It is copied, never revealed, and asks whether it was saved before it goes. */
export function KeyOnce({
  title,
  secret,
  shown,
  command,
  why = 'Shown once. We keep only a fingerprint, so nobody can show it again.',
  children,
  onClose,
}: Props) {
  const clipboard = useClipboard({ timeout: 4_000 });
  const [copied, setCopied] = useState(false);
  const [asking, setAsking] = useState(false);
  const copy = () => {
    clipboard.copy(secret);
    setCopied(true);
    setAsking(false);
  };
  return (
    <Modal
      opened
      onClose={() => (copied ? onClose() : setAsking(true))}
      title={title}
      size={620}
      closeOnClickOutside={false}
    >
      <div className="stack">
        <div className="row">
          <span className="key-masked mono" aria-label="The key, masked">
            {secret.slice(0, shown)}
            <span aria-hidden>{'•'.repeat(24)}</span>
          </span>
          <Button
            onClick={copy}
            leftSection={clipboard.copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
            data-autofocus
          >
            {clipboard.copied ? 'Copied' : 'Copy'}
          </Button>
        </div>
        <span className="icon-line turn small">
          <IconAlertTriangle size={14} aria-hidden /> {why}
        </span>
        {command && (
          <>
            <Code copies={command.replace('$ATELIER_KEY', () => secret)}>{command}</Code>
            <span className="second small">Copying this puts the key where it says $ATELIER_KEY.</span>
          </>
        )}
        {children}
        {asking && (
          <div className="note turn" role="alert">
            <strong>You have not copied it yet.</strong> Without it you will need a new one.
          </div>
        )}
        <div className="row" style={{ justifyContent: 'flex-end' }}>
          <Button variant="default" leftSection={<IconCheck size={16} />} onClick={onClose}>
            {asking ? 'Close without it' : 'I have saved it'}
          </Button>
        </div>
      </div>
    </Modal>
  );
}
