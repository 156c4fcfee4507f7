/** Bounds of a quota adjustment. Plain data, used by the API document and the desk. */
export const adjustmentBounds = { quantity: 100_000, reason: 500 } as const;
