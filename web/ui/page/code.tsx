import { ActionIcon, Button, CopyButton, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '../look/icons.ts';

export const Copy = ({ text, label }: { text: string; label: string }) => (
  <CopyButton value={text}>
    {({ copied, copy }) => (
      <Tooltip label={copied ? 'Copied' : label}>
        <ActionIcon size={24} onClick={copy} aria-label={label} className="above">
          {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
        </ActionIcon>
      </Tooltip>
    )}
  </CopyButton>
);

export const Identifier = ({ id }: { id: string }) => (
  <span className="row small third" style={{ gap: 2 }}>
    <span className="mono">{id}</span>
    <Copy text={id} label="Copy the id" />
  </span>
);

const pasted = { margin: 0, padding: '14px 16px', lineHeight: 1.55, whiteSpace: 'pre-wrap' } as const;

/** A command for pasting. `copies`: the copied text, if it differs from the displayed one. */
export const Code = ({ children, copies = children }: { children: string; copies?: string }) => (
  <div className="code" style={{ background: 'var(--sunken)' }}>
    <CopyButton value={copies}>
      {({ copied, copy }) => (
        <Button
          // Next to the first line, which wraps before it; the second line runs below it.
          style={{ float: 'right' }}
          m="7px 7px 0 8px"
          variant="default"
          h={26}
          px={10}
          size="xs"
          onClick={copy}
          leftSection={copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
        >
          {copied ? 'Copied' : 'Copy'}
        </Button>
      )}
    </CopyButton>
    <pre className="mono" style={pasted}>
      {children}
    </pre>
  </div>
);
