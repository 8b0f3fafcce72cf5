/** The product's logo: a lantern in the brand colour. */
export const LanternMark = ({ size = 40 }: { size?: number }) => (
  <svg width={size} height={size} viewBox="0 0 48 48" aria-hidden="true" focusable="false">
    <rect width="48" height="48" rx="13" fill="var(--brand-filled)" />
    <path d="M18 13.500a6 6 0 0 1 12 0" fill="none" stroke="#fff" strokeWidth="2.6" strokeLinecap="round" />
    <path d="M15 16h18l-2 4v14l2 4H15l2-4V20z" fill="#fff" />
    <path d="M24 22.500c3.2 3 4.2 5 4.2 7a4.2 4.2 0 0 1-8.4 0c0-2 1-4 4.2-7z" fill="#f0a92e" />
  </svg>
);
