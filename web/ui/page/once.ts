/** Made when it is first needed: a formatter of Intl takes a slow phone milliseconds, and no page needs all of them. */
export function once<Made>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => (made ??= make());
}
