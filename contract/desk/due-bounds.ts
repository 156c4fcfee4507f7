/** The most days ahead that a due date can be moved to. */
export const rescheduleDays = 365;
