/** The logo. */
export const Logo = ({ size = 2 }: { size?: number }) => (
  <svg viewBox="0 0 512 512" style={{ width: `${size}rem`, height: `${size}rem` }} aria-hidden="true" focusable="false">
    <path d="M56 420a200 200 0 0 1 400 0z" fill="var(--accent)" />
    <path d="M256 140V40M86 210l-62-62M426 210l62-62" stroke="var(--accent)" strokeWidth="40" strokeLinecap="round" />
    <path d="M222 296a12 12 0 0 1 18-10l92 52a12 12 0 0 1 0 20l-92 52a12 12 0 0 1-18-10z" fill="var(--bg)" />
  </svg>
);
