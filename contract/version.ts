/** The version of the service and of its client. A test compares it with both packages. */
export const version = '0.1.0';
