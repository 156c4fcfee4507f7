/** The `like` pattern for a literal text anywhere in a value. */
export const containing = (text: string): string => `%${text.trim().replace(/[\\%_]/g, '\\$&')}%`;
