/** Which jobs the library lists. Without a schema library, so that pages can use it. */
export const libraryViews = ['approved', 'studio', 'mine', 'all'] as const;
export type LibraryView = (typeof libraryViews)[number];
