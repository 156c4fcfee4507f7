/** The most that a brand kit has. Labels and texts in code points. */
export const brandBounds = { facts: 20, label: 60, text: 2_000, files: 20 };
