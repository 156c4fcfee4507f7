export const Mark = ({ size, title }: { size: number; title?: string }) => (
  <svg
    className="mark"
    width={size}
    height={size}
    viewBox="0 0 24 24"
    {...(title ? { role: 'img', 'aria-label': title } : { 'aria-hidden': true })}
  >
    <rect width="24" height="24" rx="6" />
    <path d="M7.5 17.5v-5a4.5 4.5 0 0 1 9 0v5" />
  </svg>
);
