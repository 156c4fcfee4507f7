import { Box } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { IntakeMessage } from '../../app/api.ts';
import { Mark } from '../../ui/shell/mark.tsx';
import { Time } from '../../ui/time/time.tsx';

type Props = { messages: IntakeMessage[]; sending: string | null };

export function Chat({ messages, sending }: Props) {
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    end.current?.scrollIntoView({ block: 'end' });
  }, [messages.length, sending]);
  const first = messages[0];
  return (
    <Box
      className="stack"
      flex={1}
      mih={200}
      p="2px 2px 8px"
      role="log"
      aria-label="Conversation"
      tabIndex={0}
      style={{ gap: 18, overflowY: 'auto' }}
    >
      {first && (
        <Box component="p" ta="center" className="small third">
          <Time at={first.created_at} as="moment" />
        </Box>
      )}
      {messages.map(({ id, role, content }) => (
        <Bubble key={id} role={role} content={content} />
      ))}
      {sending !== null && (
        <div className="stack-small">
          <Bubble role="customer" content={sending} />
          <Box component="p" ta="end" className="third small">
            The concierge is reading…
          </Box>
        </div>
      )}
      <div ref={end} />
    </Box>
  );
}

/** Hides file ids, which only the concierge needs. */
const readable = (content: string) => content.replace(/\bfile_[a-z0-9]{26}\b/g, '(file)');

const Bubble = ({ role, content }: { role: 'customer' | 'concierge'; content: string }) => (
  <Box className={`row bubble ${role}`} maw="85%" style={{ gap: 12, alignItems: 'flex-start', flexWrap: 'nowrap' }}>
    {role === 'concierge' && <Mark size={24} title="Concierge:" />}
    <Box component="p" maw="68ch">
      {readable(content)}
    </Box>
  </Box>
);
