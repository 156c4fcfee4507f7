import { IconPencil } from '../../ui/look/icons.ts';
import { useEffect, useRef } from 'react';
import type { IntakeMessage } from '../../app/api.ts';
import { Mark } from '../../ui/shell/mark.tsx';
import { Time } from '../../ui/time/time.tsx';

type Props = {
  messages: IntakeMessage[];
  sending: string | null;
  /** Null after the end of the conversation. */
  onEdit: ((requirement: string) => void) | null;
};

export function Chat({ messages, sending, onEdit }: Props) {
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    end.current?.scrollIntoView({ block: 'end' });
  }, [messages.length, sending]);
  const first = messages[0];
  return (
    <div className="chat" role="log" aria-label="Conversation" tabIndex={0}>
      {first && (
        <p className="chat-time small third">
          <Time at={first.created_at} as="moment" />
        </p>
      )}
      {messages.map(({ id, role, content }, index) => (
        <div key={id} className="chat-turn">
          <Bubble role={role} content={content} />
          {role === 'customer' && <Understood answers={messages[index + 1]?.understood ?? []} onEdit={onEdit} />}
        </div>
      ))}
      {sending !== null && (
        <div className="chat-turn">
          <Bubble role="customer" content={sending} />
          <p className="third small">The concierge is reading…</p>
        </div>
      )}
      <div ref={end} />
    </div>
  );
}

/** Hides file ids, which only the concierge needs. */
const readable = (content: string) => content.replace(/\bfile_[a-z0-9]{26}\b/g, '(file)');

const Bubble = ({ role, content }: { role: 'customer' | 'concierge'; content: string }) => (
  <div className={`bubble ${role}`}>
    {role === 'concierge' && <Mark size={24} title="Concierge:" />}
    <p>{readable(content)}</p>
  </div>
);

type UnderstoodProps = Pick<Props, 'onEdit'> & { answers: { requirement: string; answer: string }[] };

function Understood({ answers, onEdit }: UnderstoodProps) {
  if (answers.length === 0) return null;
  return (
    <div className="understood">
      <span className="third small">Understood</span>
      {answers.map(({ requirement, answer }) => (
        <button
          key={requirement}
          type="button"
          className="fact-chip"
          disabled={onEdit === null}
          onClick={() => onEdit?.(requirement)}
          title="Change it"
        >
          <span className="third">{requirement}</span> {answer} <IconPencil size={13} aria-hidden />
        </button>
      ))}
    </div>
  );
}
