/** "3 comments" */
export const sayComments = (count: number): string => (count === 1 ? '1 comment' : `${count} comments`);
