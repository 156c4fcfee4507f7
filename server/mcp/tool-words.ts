import { inDoorWords } from '../../contract/door-words.ts';

/** A text of the service as a caller of tools needs it. What has no tool, a person does in the dashboard. */
export const inToolWords = (text: string): string => inDoorWords('tool', text, () => 'the dashboard');

/** The questions of the studio stay as they are: the service's own sentence follows the last blank line. */
export function nextInToolWords(text: string): string {
  const own = text.lastIndexOf('\n\n') + 1;
  return text.slice(0, own) + inToolWords(text.slice(own));
}
