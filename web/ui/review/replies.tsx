import { ActionIcon, Box, Button, Flex } from '@mantine/core';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { Textarea } from '../form/fields.tsx';
import { IconTrash } from '../look/icons.ts';
import { KeyHint } from '../shell/shortcuts.tsx';
import { Time } from '../time/time.tsx';
import type { Reply, ReviewComment, Talk } from './comments.ts';

type Props = { comment: ReviewComment; talk: Talk | undefined };

/** What members and guests answered to a comment, and the answer being written. */
export function Replies({ comment, talk }: Props) {
  const { id, number, replies, isOpen } = comment;
  const isReplying = isOpen && talk?.replying?.id === id;
  if (replies.length === 0 && !isReplying) return null;
  return (
    <Box className="above" my={6} pl={10} style={{ borderLeft: '2px solid var(--line)' }}>
      {replies.length > 0 && (
        <ul aria-label={`Replies to comment ${number}`}>
          {replies.map((reply) => (
            <ReplyItem key={reply.id} reply={reply} onRemove={() => talk?.onRemoveReply(id, reply.id)} />
          ))}
        </ul>
      )}
      {isReplying && talk && <ReplyField number={number} talk={talk} />}
    </Box>
  );
}

const ReplyItem = ({ reply, onRemove }: { reply: Reply; onRemove: () => void }) => (
  <Box component="li" py={3}>
    <Flex align="center" gap={8} fz={12.5}>
      <Author {...reply} />
      <span className="push small second">
        <Time at={reply.createdAt} />
      </span>
      {reply.canRemove && (
        <ActionIcon size={20} onClick={onRemove} aria-label={`Delete the reply: ${reply.text.slice(0, 60)}`}>
          <IconTrash size={14} />
        </ActionIcon>
      )}
    </Flex>
    <Box component="p" className="prose" fz={13} dir="auto">
      {reply.text}
    </Box>
  </Box>
);

export const Author = ({ author, isGuest }: { author: string; isGuest: boolean }) => (
  <>
    <strong className="breaks">{author}</strong>
    {isGuest && (
      <Box component="span" className="second" px={6} bd="1px solid var(--strong-line)" bdrs={4} fz={11.5}>
        guest
      </Box>
    )}
  </>
);

/** Its id: one reply is written at a time. */
export const replyField = 'reply-field';

function ReplyField({ number, talk }: { number: number; talk: Talk }) {
  const { replying, setReplying, sendReply, isSending } = talk;
  const field = useRef<HTMLTextAreaElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => field.current?.focus({ preventScroll: true }), []);
  const text = replying?.text ?? '';
  const isEmpty = text.trim() === '';
  const onKeyDown = (event: KeyboardEvent) => {
    const sends = event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !isEmpty;
    if (!sends && event.key !== 'Escape') return;
    event.preventDefault();
    if (sends) sendReply();
    else if (isEmpty) setReplying(null);
    else button.current?.focus();
  };
  return (
    <>
      <Textarea
        id={replyField}
        ref={field}
        mt={4}
        aria-label={`Reply to comment ${number}`}
        minRows={1}
        maxRows={8}
        maxLength={2_000}
        value={text}
        onChange={({ currentTarget }) => replying && setReplying({ ...replying, text: currentTarget.value })}
        onKeyDown={onKeyDown}
      />
      <Flex justify="flex-end" gap={6} mt={6}>
        <Button variant="subtle" size="xs" h={28} px={8} onClick={() => setReplying(null)}>
          Discard
        </Button>
        <Button
          variant="default"
          size="xs"
          h={28}
          px={10}
          ref={button}
          disabled={isEmpty}
          loading={isSending}
          onClick={sendReply}
          rightSection={<KeyHint>mod+Enter</KeyHint>}
        >
          Reply
        </Button>
      </Flex>
    </>
  );
}
