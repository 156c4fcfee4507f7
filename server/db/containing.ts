/** The pattern of `like` that finds the text itself, wherever it stands. */
export const containing = (text: string): string => `%${text.trim().replace(/[\\%_]/g, '\\$&')}%`;
