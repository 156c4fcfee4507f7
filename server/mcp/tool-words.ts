import { inDoorWords } from '../../contract/door-words.ts';

/** A text of the service as a caller of tools needs it. What has no tool, a person does in the dashboard. */
export const inToolWords = (text: string): string => inDoorWords('tool', text, () => 'the dashboard');

/** It may quote a question of the studio, so routes of others stay as they are. */
export const nextInToolWords = (text: string): string =>
  inDoorWords('tool', text, (method, path) => `${method} ${path}`);
