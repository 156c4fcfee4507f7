/** A test compares it with both packages. */
export const version = '0.1.0';
