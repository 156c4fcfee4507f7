/** Plain data, used by the server and the pages. */
export const savedViewBounds = { count: 50, name: 60 };
