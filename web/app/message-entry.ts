import type { File, Message } from './api.ts';
import type { StoryEvent, StoryFile, StoryMessage } from '../ui/thread/story.ts';

export const isOpenQuestion = ({ question, answered_at, closed_at, withdrawn_at }: Message): boolean =>
  question && answered_at === null && closed_at === null && withdrawn_at === null;

type UrlOf = (fileId: string) => string;

/** Files of a message, in the order of the message. */
export const filesOf = (files: File[], { file_ids }: Message, urlOf: UrlOf): StoryFile[] =>
  file_ids.flatMap((id) => {
    const file = files.find((item) => item.id === id);
    return file ? [{ ...file, url: urlOf(id) }] : [];
  });

type Shown = { files: StoryFile[]; face: 'person' | 'studio'; badge: string | undefined };

/** A message in the story of its job; one that was withdrawn leaves a line. */
export function messageEntry(message: Message, { files, face, badge }: Shown): StoryMessage | StoryEvent {
  const { id, created_at: at, author, text, mine } = message;
  const tone = author.kind === 'customer' ? 'you' : undefined;
  if (text === null)
    return { kind: 'event', id, at, who: mine ? 'You' : author.name, title: 'took a message back', tone };
  return {
    kind: 'message',
    id,
    at,
    author: { name: author.name, face },
    you: mine,
    text,
    files,
    badge,
    takeBackUntil: message.withdrawable_until,
  };
}
